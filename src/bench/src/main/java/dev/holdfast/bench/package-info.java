/** Side-by-side benchmarks: Holdfast against the barest thing that does the same job. */
@NullMarked
package dev.holdfast.bench;

import org.jspecify.annotations.NullMarked;
