// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.drain.naming;

import io.forebay.backing.AttemptId;
import io.forebay.namespace.tree.StoreView;

/** What the search for leftovers needs to know of bundles. */
public interface BundleLeftovers {
  /** Whether files of the tree are stored together. */
  boolean isOn();

  /** Whether an attempt is one at a bundle or at notes. */
  boolean isBundle(AttemptId.Origin origin);

  /** Whether such an attempt is over. */
  boolean isDead(AttemptId.Origin origin, StoreView view);
}
