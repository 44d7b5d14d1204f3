/** The {@code holdfast} command: holds identities over the SDK and administers over REST. */
@NullMarked
package dev.holdfast.cli;

import org.jspecify.annotations.NullMarked;
