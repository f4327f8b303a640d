// SPDX-License-Identifier: Apache-2.0

package io.forebay.backing.slow;

import io.forebay.backing.BackingProvider;
import io.forebay.backing.BackingStore;
import io.forebay.backing.BackingStores;
import io.forebay.backing.location.BackingLocation;
import java.util.Set;

/** Opens {@code slow+ADDRESS} and {@code slow=RATE+ADDRESS}. Stateless; any thread. */
public final class SlowProvider implements BackingProvider {
  @Override
  public Set<String> schemes() {
    return Set.of(BackingLocation.SLOW);
  }

  @Override
  public BackingStore open(BackingLocation location, BackingStores stores) {
    BackingStore inner = stores.open(location.rest());
    Long rate = location.rate();
    if (rate == null) {
      return new SlowStore(inner, SlowDevice.of(inner.description()), SlowStore.LABEL);
    }
    return new SlowStore(
        inner,
        SlowDevice.of(inner.description(), rate),
        SlowStore.label(String.valueOf(location.setting(BackingLocation.RATE))));
  }
}
