/** Tests of the endpoint, health and the stop. */
@NullMarked
package dev.holdfast.gateway.server;

import org.jspecify.annotations.NullMarked;
