/** What the tests share: running gateways, their clients and keys, and the check for leftovers. */
@NullMarked
package dev.holdfast.systemtests.suite;

import org.jspecify.annotations.NullMarked;
