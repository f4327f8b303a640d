// SPDX-License-Identifier: Apache-2.0

package io.forebay.backing.discard;

import io.forebay.backing.BackingProvider;
import io.forebay.backing.BackingStore;
import io.forebay.backing.BackingStores;
import io.forebay.backing.location.BackingLocation;
import java.util.Set;

/** Opens {@code null:}. Stateless; any thread. */
public final class NullProvider implements BackingProvider {
  @Override
  public Set<String> schemes() {
    return Set.of("null");
  }

  @Override
  public BackingStore open(BackingLocation location, BackingStores stores) {
    location.requireKnown();
    if (!location.rest().isEmpty()) {
      throw new IllegalArgumentException(
          "'null:%s' is not a backing store: write 'null:'".formatted(location.rest()));
    }
    return new NullStore();
  }
}
