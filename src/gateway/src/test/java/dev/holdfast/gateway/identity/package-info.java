/** Tests of identities. */
@NullMarked
package dev.holdfast.gateway.identity;

import org.jspecify.annotations.NullMarked;
