// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.cluster;

import io.forebay.base.ByteSize;
import io.forebay.cli.remote.RemoteOptions;
import io.forebay.client.Forebay;
import io.forebay.client.file.Usage;
import io.forebay.ring.Instance;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The fill of instances, for people. Stateless. */
final class InstanceFill {
  /** Shown where the figure is unknown. */
  static final String UNKNOWN = "?";

  private InstanceFill() {}

  /**
   * Asks an instance; null if it does not answer. One of private access is not asked: each node has
   * a tree of its own there, and asking would make one.
   */
  static @Nullable Usage of(RemoteOptions remote, Instance instance) {
    if (!instance.hasSharedTree()) return null;
    try (Forebay client = remote.instance(instance.name())) {
      return client.usage();
    } catch (IOException silent) {
      // A list of instances is useful even while one of them is not served.
      return null;
    }
  }

  static String used(@Nullable Usage usage) {
    return usage == null ? UNKNOWN : ByteSize.format(usage.usedBytes());
  }

  /** In percent of the capacity, rounded up, so that a used instance does not look empty. */
  static String percent(Usage usage) {
    if (usage.capacityBytes() == 0) return "-";
    return (long) Math.ceil(100.0 * usage.usedBytes() / usage.capacityBytes()) + "%";
  }
}
