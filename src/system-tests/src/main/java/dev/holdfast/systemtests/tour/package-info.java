/** The guided tour: the gateway's promises, one after the other, kept before one's eyes. */
@NullMarked
package dev.holdfast.systemtests.tour;

import org.jspecify.annotations.NullMarked;
