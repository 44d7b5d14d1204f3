/** Tests of administration. */
@NullMarked
package dev.holdfast.gateway.admin;

import org.jspecify.annotations.NullMarked;
