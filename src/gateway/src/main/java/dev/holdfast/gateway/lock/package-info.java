/** The identity lock: its port, its Redis scripts, its leases and their refresher. */
@NullMarked
package dev.holdfast.gateway.lock;

import org.jspecify.annotations.NullMarked;
