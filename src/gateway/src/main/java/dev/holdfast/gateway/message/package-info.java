/** The channel: messages from one identity to another, wherever it is connected. */
@NullMarked
package dev.holdfast.gateway.message;

import org.jspecify.annotations.NullMarked;
