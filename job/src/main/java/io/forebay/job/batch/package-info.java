// SPDX-License-Identifier: Apache-2.0

/**
 * Ends the jobs that their batch system has forgotten. A batch system that is killed loses what it
 * had not saved, and asks for nothing more. {@link io.forebay.job.batch.JobSweep} has a thread of
 * its own. Start reading there.
 */
@NullMarked
package io.forebay.job.batch;

import org.jspecify.annotations.NullMarked;
