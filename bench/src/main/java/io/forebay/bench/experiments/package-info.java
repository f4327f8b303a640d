// SPDX-License-Identifier: Apache-2.0

/**
 * Figures of the papers that Forebay is built on, measured here at a small scale: their results
 * next to those of this machine. One thread. Start reading at {@link
 * io.forebay.bench.experiments.Experiments}.
 */
@NullMarked
package io.forebay.bench.experiments;

import org.jspecify.annotations.NullMarked;
