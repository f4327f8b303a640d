// SPDX-License-Identifier: Apache-2.0

package io.forebay.backing;

import io.forebay.backing.location.BackingLocation;
import java.util.Set;

/**
 * Opens one kind of store. Named in {@code META-INF/services}, so that the libraries of a store are
 * loaded at its first use.
 */
public interface BackingProvider {
  /** The schemes of the addresses that are this provider's. */
  Set<String> schemes();

  /**
   * Opens a store, touching nothing.
   *
   * @param stores for stores that stand in front of another
   * @throws IllegalArgumentException with a sentence for users if the address is invalid
   */
  BackingStore open(BackingLocation location, BackingStores stores);
}
