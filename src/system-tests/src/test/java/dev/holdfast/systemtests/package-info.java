/** Tests of the whole product from outside: real servers, a real Redis, real processes. */
@NullMarked
package dev.holdfast.systemtests;

import org.jspecify.annotations.NullMarked;
