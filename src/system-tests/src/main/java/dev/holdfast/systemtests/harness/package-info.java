/** Gateways, Redis servers, clients and networks as real processes that a test can break. */
@NullMarked
package dev.holdfast.systemtests.harness;

import org.jspecify.annotations.NullMarked;
