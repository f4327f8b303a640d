// SPDX-License-Identifier: Apache-2.0

/**
 * The network of simulations: hosts in one thread, messages that travel on a simulated clock, and
 * faults between them. Deterministic: the same seed gives the same run. Called by the one thread
 * that runs the timers. Start reading at {@link io.forebay.wire.memory.MemoryNetwork}.
 */
@NullMarked
package io.forebay.wire.memory;

import org.jspecify.annotations.NullMarked;
