// SPDX-License-Identifier: Apache-2.0

/**
 * Agreement on the manager's decisions: proposed, committed, and applied in one order. On one node
 * a forced log suffices; a group of managers needs another implementation. Called by the owner's
 * loop only. Start reading at {@link io.forebay.seat.consensus.Consensus}.
 */
@NullMarked
package io.forebay.seat.consensus;

import org.jspecify.annotations.NullMarked;
