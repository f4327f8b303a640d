// SPDX-License-Identifier: Apache-2.0

/**
 * mdtest's workload: how many small files a second several clients create, stat, read and remove,
 * in one shared tree and in private ones, through the client and through mounts. Each client has a
 * thread, and a connection or a mount of its own. Start reading at {@link
 * io.forebay.bench.mdtest.MdtestBenchmark}.
 */
@NullMarked
package io.forebay.bench.mdtest;

import org.jspecify.annotations.NullMarked;
