/** MicroProfile Config, read once into validated records. */
@NullMarked
package dev.holdfast.gateway.config;

import org.jspecify.annotations.NullMarked;
