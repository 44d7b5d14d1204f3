/** Tests of the structure of the code. */
@NullMarked
package dev.holdfast.gateway.architecture;

import org.jspecify.annotations.NullMarked;
