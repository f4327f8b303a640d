// SPDX-License-Identifier: Apache-2.0

/**
 * The manager core: gathers servers into a ring, keeps the map of seats, groups and instances, and
 * tells all seats. What it decides is committed before anyone hears of it. A state machine without
 * threads or sockets; called by its owner's loop only: servers and simulated worlds. Start reading
 * at {@link io.forebay.seat.manager.Manager}.
 */
@NullMarked
package io.forebay.seat.manager;

import org.jspecify.annotations.NullMarked;
