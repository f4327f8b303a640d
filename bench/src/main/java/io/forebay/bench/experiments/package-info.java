// SPDX-License-Identifier: Apache-2.0

/**
 * Figures of the papers that Forebay is built on, measured here in small: what they found, next to
 * what this machine finds. One thread. Start reading at {@link
 * io.forebay.bench.experiments.Experiments}.
 */
@NullMarked
package io.forebay.bench.experiments;

import org.jspecify.annotations.NullMarked;
