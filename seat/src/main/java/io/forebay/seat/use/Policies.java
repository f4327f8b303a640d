// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.use;

import io.forebay.ring.Instance;
import io.forebay.ring.protection.ProtectionPolicy;
import io.forebay.seat.part.MapView;
import java.util.HashMap;
import java.util.Map;

/** The protection of each instance, read from its text once. */
public final class Policies {
  private record Known(String text, ProtectionPolicy policy) {}

  private final MapView maps;
  // Looked up only, never walked.
  private final Map<Integer, Known> known = new HashMap<>();

  public Policies(MapView maps) {
    this.maps = maps;
  }

  /** The protection of an instance by its number; none if the map does not have it. */
  public ProtectionPolicy of(int number) {
    Instance instance = maps.instance(number);
    return instance == null ? ProtectionPolicy.NONE : of(instance);
  }

  public ProtectionPolicy of(Instance instance) {
    if (instance.protection().isEmpty()) return ProtectionPolicy.NONE;
    Known before = known.get(instance.id());
    if (before != null && before.text().equals(instance.protection())) return before.policy();
    ProtectionPolicy policy = ProtectionPolicy.of(instance.protection());
    known.put(instance.id(), new Known(instance.protection(), policy));
    return policy;
  }
}
