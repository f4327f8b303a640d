// SPDX-License-Identifier: Apache-2.0

/**
 * What every {@link io.forebay.seat.consensus.Consensus} promises, as cases that run against any of
 * them: the tests of each implementation run them, with a {@link
 * io.forebay.seat.consensus.contract.ConsensusWorld} of their own. One thread. Start reading at
 * {@link io.forebay.seat.consensus.contract.ConsensusContract}.
 */
@NullMarked
package io.forebay.seat.consensus.contract;

import org.jspecify.annotations.NullMarked;
