// SPDX-License-Identifier: Apache-2.0

/**
 * The manager's desk for jobs, which batch systems begin and end. Called by the manager's loop.
 * Start reading at {@link io.forebay.seat.manager.job.JobDesk}; the rules are in {@link
 * io.forebay.seat.manager.state.JobRules}.
 */
@NullMarked
package io.forebay.seat.manager.job;

import org.jspecify.annotations.NullMarked;
