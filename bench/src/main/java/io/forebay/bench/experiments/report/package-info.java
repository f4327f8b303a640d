// SPDX-License-Identifier: Apache-2.0

/**
 * What an experiment gives: its figures beside the paper's, as plots and as tables of a page.
 * Entered by the experiments and the command. One thread. Start reading at {@link
 * io.forebay.bench.experiments.report.Findings}.
 */
@NullMarked
package io.forebay.bench.experiments.report;

import org.jspecify.annotations.NullMarked;
