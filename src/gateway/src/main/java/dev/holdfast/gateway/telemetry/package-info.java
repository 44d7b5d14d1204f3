/** The meter catalogue and the health checks. */
@NullMarked
package dev.holdfast.gateway.telemetry;

import org.jspecify.annotations.NullMarked;
