// SPDX-License-Identifier: Apache-2.0

/**
 * The map of seats, groups and instances, and how new records choose a group: pure values and
 * decisions, for any thread. Start reading at {@link io.forebay.ring.RingMap}.
 */
@NullMarked
package io.forebay.ring;

import org.jspecify.annotations.NullMarked;
