// SPDX-License-Identifier: Apache-2.0

/**
 * Fuzzes a cluster of this process over its sockets, as a client and as a seat. The peers read on
 * threads of their own. Start reading at {@link io.forebay.cli.fuzz.ClusterFuzz}.
 */
@NullMarked
package io.forebay.cli.fuzz;

import org.jspecify.annotations.NullMarked;
