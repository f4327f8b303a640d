// SPDX-License-Identifier: Apache-2.0

/**
 * The benchmark of staging. Start reading at {@link io.forebay.bench.stage.StageBenchmark}. One
 * thread calls it.
 */
@NullMarked
package io.forebay.bench.stage;

import org.jspecify.annotations.NullMarked;
