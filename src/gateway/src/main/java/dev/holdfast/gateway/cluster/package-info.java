/** The gateways of one deployment: their leases in Redis and the bus between them. */
@NullMarked
package dev.holdfast.gateway.cluster;

import org.jspecify.annotations.NullMarked;
