// SPDX-License-Identifier: Apache-2.0

/**
 * The commands below {@code forebay bench}: options, progress and reports; the measurements are in
 * the module of that name. Entered by the root command. Each runs on the main thread. Start reading
 * at {@link io.forebay.cli.bench.BenchCommand}.
 */
@NullMarked
package io.forebay.cli.bench;

import org.jspecify.annotations.NullMarked;
