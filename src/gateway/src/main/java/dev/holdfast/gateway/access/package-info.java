/** API keys, the identities that each may hold, and the interceptor that asks for one. */
@NullMarked
package dev.holdfast.gateway.access;

import org.jspecify.annotations.NullMarked;
