// SPDX-License-Identifier: Apache-2.0

/**
 * Rings of real processes on this machine, for demonstrations, tests and measurements: a manager
 * and servers that are started, killed, stopped and started again, and the directories they live
 * in. Start reading at {@link io.forebay.server.ring.LocalRing}.
 */
@NullMarked
package io.forebay.server.ring;

import org.jspecify.annotations.NullMarked;
