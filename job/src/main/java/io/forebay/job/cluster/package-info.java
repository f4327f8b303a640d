// SPDX-License-Identifier: Apache-2.0

/**
 * Jobs of a batch system as jobs, instances and stages of a cluster. Nothing is remembered here
 * between calls but what speeds up answers: the state of jobs is the manager's and the servers'.
 * Any thread.
 *
 * <p>Start reading at {@link io.forebay.job.cluster.ClusterJobs}.
 */
@NullMarked
package io.forebay.job.cluster;

import org.jspecify.annotations.NullMarked;
