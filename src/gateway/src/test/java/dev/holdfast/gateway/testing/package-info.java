/** Hand-made clocks, meters and the Redis that tests of the gateway share. */
@NullMarked
package dev.holdfast.gateway.testing;

import org.jspecify.annotations.NullMarked;
