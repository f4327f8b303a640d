// SPDX-License-Identifier: Apache-2.0

/**
 * The work of {@code forebay demo}, without its output: a ring of real processes, a burst of
 * several ranks into it, the death and return of one server, the reading back of every byte, and
 * the same bytes written straight to a slow store. Each class is used by one thread unless it says
 * otherwise. Start reading at {@link io.forebay.cli.demo.DemoPlan}, then {@link
 * io.forebay.server.ring.LocalRing} and {@link io.forebay.cli.demo.Burst}.
 */
@NullMarked
package io.forebay.cli.demo;

import org.jspecify.annotations.NullMarked;
