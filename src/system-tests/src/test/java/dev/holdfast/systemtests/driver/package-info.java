/**
 * Clients for the tests, on the generated stubs and on plain HTTP: they record and decide nothing.
 */
@NullMarked
package dev.holdfast.systemtests.driver;

import org.jspecify.annotations.NullMarked;
