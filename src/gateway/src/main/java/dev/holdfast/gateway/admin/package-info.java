/** Administration of the whole deployment over REST. */
@NullMarked
package dev.holdfast.gateway.admin;

import org.jspecify.annotations.NullMarked;
