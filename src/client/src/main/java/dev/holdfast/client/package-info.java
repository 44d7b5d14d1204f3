/** The Java SDK: holds identities on a Holdfast gateway and exchanges messages through them. */
@NullMarked
package dev.holdfast.client;

import org.jspecify.annotations.NullMarked;
