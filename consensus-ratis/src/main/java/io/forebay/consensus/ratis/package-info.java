// SPDX-License-Identifier: Apache-2.0

/**
 * Agreement of several managers on Apache Ratis, an engine for the Raft protocol. {@link
 * io.forebay.consensus.ratis.RatisConsensus} belongs to one loop; the threads of the engine reach
 * it through {@link io.forebay.consensus.ratis.LoopQueue} only. Start reading at {@code
 * RatisConsensus}.
 */
@NullMarked
package io.forebay.consensus.ratis;

import org.jspecify.annotations.NullMarked;
