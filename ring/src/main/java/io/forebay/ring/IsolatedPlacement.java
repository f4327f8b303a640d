// SPDX-License-Identifier: Apache-2.0

package io.forebay.ring;

import io.forebay.base.GroupId;

/**
 * Gives each client a seat of its own, as far as there are enough: all its writes go there. With
 * consecutive client numbers, the clients per seat differ by one at most, and seats with more
 * granules have more. If there are few clients, they use different servers, since the ring
 * alternates between them.
 */
final class IsolatedPlacement implements Placement {
  private final Candidates candidates;
  private final int first;

  IsolatedPlacement(Candidates candidates, long clientNumber) {
    this.candidates = candidates;
    int[] turns = candidates.turns();
    this.first = turns[Math.floorMod(clientNumber, turns.length)];
  }

  @Override
  public GroupId choose(long fileNumber, long offset, int attempt) {
    return candidates.group(first, attempt);
  }
}
