// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.metrics;

import io.forebay.server.settings.BadSetting;
import io.forebay.server.settings.Key;
import io.forebay.server.settings.Keys;
import io.forebay.server.settings.Settings;
import io.forebay.wire.Address;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Whether and where a process tells its metrics.
 *
 * @param listen where; null for nowhere
 * @param orAnyPort whether another free port will do if that one is taken
 * @param users users whose certificates let them read, besides administrators, servers and managers
 */
public record MetricsOptions(Address.@Nullable Inet listen, boolean orAnyPort, Set<Integer> users) {
  public static final MetricsOptions OFF = new MetricsOptions(null, false, Set.of());

  public MetricsOptions {
    users = Set.copyOf(users);
  }

  /**
   * From the settings of a process.
   *
   * @param key the one with its default address
   */
  public static MetricsOptions from(Settings settings, Key<Optional<Address.Inet>> key)
      throws BadSetting {
    Set<Integer> users = settings.find(Keys.METRICS_USERS);
    return new MetricsOptions(
        settings.get(key).orElse(null), !settings.isGiven(key), users == null ? Set.of() : users);
  }
}
