// SPDX-License-Identifier: Apache-2.0

/**
 * What clients of a ring of real processes notice when one of them dies: their wait, their rate
 * afterwards, and the time until everything has its copies again. Start reading at {@link
 * io.forebay.bench.failover.FailoverBenchmark}.
 */
@NullMarked
package io.forebay.bench.failover;

import org.jspecify.annotations.NullMarked;
