// SPDX-License-Identifier: Apache-2.0

/**
 * How the manager's decisions are agreed on before they count: proposed, committed, and applied in
 * one order. On one node a forced log is agreement enough; a group of managers takes another
 * implementation. Called by the owner's loop only. Start reading at {@link
 * io.forebay.seat.consensus.Consensus}.
 */
@NullMarked
package io.forebay.seat.consensus;

import org.jspecify.annotations.NullMarked;
