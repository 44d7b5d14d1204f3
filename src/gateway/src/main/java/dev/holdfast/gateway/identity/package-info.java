/** Principals and the exclusive names that they hold. */
@NullMarked
package dev.holdfast.gateway.identity;

import org.jspecify.annotations.NullMarked;
