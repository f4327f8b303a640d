// SPDX-License-Identifier: Apache-2.0

/**
 * Brings back a manager that lost its log: asks servers for the maps that they remember, and begins
 * a new log. What is decided is in {@code seat.manager.recovery}. Entered by the command and tests;
 * belongs to the thread that calls it. Start reading at {@link
 * io.forebay.server.recovery.ManagerRecovery}.
 */
@NullMarked
package io.forebay.server.recovery;

import org.jspecify.annotations.NullMarked;
