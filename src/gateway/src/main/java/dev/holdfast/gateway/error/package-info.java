/** The one catalogue of errors, and the exception that carries them. */
@NullMarked
package dev.holdfast.gateway.error;

import org.jspecify.annotations.NullMarked;
