/** Tests of the error catalogue. */
@NullMarked
package dev.holdfast.gateway.error;

import org.jspecify.annotations.NullMarked;
