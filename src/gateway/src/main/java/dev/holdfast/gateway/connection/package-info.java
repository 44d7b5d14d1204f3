/** Connections: their registry, their state machine, the Connect endpoint, their clean-up. */
@NullMarked
package dev.holdfast.gateway.connection;

import org.jspecify.annotations.NullMarked;
