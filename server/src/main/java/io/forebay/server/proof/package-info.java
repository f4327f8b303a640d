// SPDX-License-Identifier: Apache-2.0

/**
 * Users proved by services of the machine: MUNGE, and the names and groups of users. Their calls
 * may block for long, on a network too, so threads make them for the manager's loop. Start reading
 * at {@link io.forebay.server.proof.MungeCheck} and {@link io.forebay.server.proof.MachineUsers}.
 */
@NullMarked
package io.forebay.server.proof;

import org.jspecify.annotations.NullMarked;
