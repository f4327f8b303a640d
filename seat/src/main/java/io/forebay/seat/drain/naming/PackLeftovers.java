// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.drain.naming;

import io.forebay.backing.AttemptId;
import io.forebay.namespace.tree.BackingView;

/** The packs as the search for leftovers needs them. */
public interface PackLeftovers {
  /** Whether files of the tree are stored together. */
  boolean isOn();

  /** Whether an attempt is one at a pack or at notes. */
  boolean isPack(AttemptId.Origin origin);

  /** Whether such an attempt is over. */
  boolean isDead(AttemptId.Origin origin, BackingView view);
}
