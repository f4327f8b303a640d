// SPDX-License-Identifier: Apache-2.0

/**
 * The manager core: gathers servers into a ring, keeps the map of seats, groups and instances, and
 * sends it to all seats. Its decisions are committed before they are visible. A state machine
 * without threads or sockets; called by its owner's loop only: servers and simulated worlds. Start
 * reading at {@link io.forebay.seat.manager.Manager}.
 */
@NullMarked
package io.forebay.seat.manager;

import org.jspecify.annotations.NullMarked;
