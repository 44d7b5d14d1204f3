/** The audit log: who held which identity, and why that ended. */
@NullMarked
package dev.holdfast.gateway.audit;

import org.jspecify.annotations.NullMarked;
