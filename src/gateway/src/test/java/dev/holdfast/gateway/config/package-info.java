/** Tests of configuration. */
@NullMarked
package dev.holdfast.gateway.config;

import org.jspecify.annotations.NullMarked;
