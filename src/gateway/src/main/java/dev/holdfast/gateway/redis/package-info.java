/** The connection to Redis: how the client is configured, scripts, and the embedded server. */
@NullMarked
package dev.holdfast.gateway.redis;

import org.jspecify.annotations.NullMarked;
