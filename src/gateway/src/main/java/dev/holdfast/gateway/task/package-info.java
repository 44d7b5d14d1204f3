/** The state of orchestration tasks, as far as the end of a connection concerns it. */
@NullMarked
package dev.holdfast.gateway.task;

import org.jspecify.annotations.NullMarked;
