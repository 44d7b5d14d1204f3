/** Workspace quotas, as far as the end of a connection concerns them. */
@NullMarked
package dev.holdfast.gateway.quota;

import org.jspecify.annotations.NullMarked;
