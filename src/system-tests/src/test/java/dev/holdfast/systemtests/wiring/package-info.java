/** Tests that run inside Liberty, in the WAR: what the container injects, and when. */
@NullMarked
package dev.holdfast.systemtests.wiring;

import org.jspecify.annotations.NullMarked;
