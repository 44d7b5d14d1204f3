/** Tests of the meter catalogue. */
@NullMarked
package dev.holdfast.gateway.telemetry;

import org.jspecify.annotations.NullMarked;
