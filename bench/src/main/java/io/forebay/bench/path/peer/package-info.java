// SPDX-License-Identifier: Apache-2.0

/**
 * The other end of the network's hops: a process here or on another machine that takes and gives
 * bytes and keeps none. Start reading at {@link io.forebay.bench.path.peer.PathHelper}.
 */
@NullMarked
package io.forebay.bench.path.peer;

import org.jspecify.annotations.NullMarked;
