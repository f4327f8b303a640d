// SPDX-License-Identifier: Apache-2.0

/**
 * Commands for jobs, which batch systems and people begin and end. Called by the thread of a
 * command. Start reading at {@link io.forebay.cli.job.JobCommand}.
 */
@NullMarked
package io.forebay.cli.job;

import org.jspecify.annotations.NullMarked;
