/** Tests of access. */
@NullMarked
package dev.holdfast.gateway.access;

import org.jspecify.annotations.NullMarked;
