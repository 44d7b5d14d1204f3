-- Shows that the master of this key runs scripts.
return {1}
