// SPDX-License-Identifier: Apache-2.0

/**
 * What DataWarp's commands print: the JSON documents that Slurm reads, the variables of a job, and
 * the tables of {@code dwstat}. Pure code for any thread. Start reading at {@link
 * io.forebay.job.datawarp.Registry}.
 */
@NullMarked
package io.forebay.job.datawarp;

import org.jspecify.annotations.NullMarked;
