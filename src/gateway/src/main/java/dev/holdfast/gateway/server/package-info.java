/** The gRPC endpoint, health, and how the gateway starts and stops. */
@NullMarked
package dev.holdfast.gateway.server;

import org.jspecify.annotations.NullMarked;
