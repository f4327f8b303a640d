// SPDX-License-Identifier: Apache-2.0

/**
 * The directives of job scripts: lines that begin with {@code #DW} or {@code #BB}, as users of
 * DataWarp and Slurm write them. Pure code for any thread. Start reading at {@link
 * io.forebay.job.directive.DirectiveReader}.
 */
@NullMarked
package io.forebay.job.directive;

import org.jspecify.annotations.NullMarked;
