// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.use;

import io.forebay.cli.remote.RemoteOptions;
import io.forebay.client.Forebay;
import io.forebay.client.stage.Staging;
import io.forebay.client.use.StagedBytes;
import io.forebay.ring.Instance;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Asks instances for the bytes of their stages. Stateless. */
final class StagedQuery {
  private StagedQuery() {}

  /**
   * Asks an instance; null if it does not answer, or not to this user. One of private access is not
   * asked: each node has a tree of its own there, and asking would make one.
   */
  static @Nullable StagedBytes of(RemoteOptions remote, Instance instance) {
    if (!instance.hasSharedTree()) return null;
    try (Forebay client = remote.instance(instance.name());
        Staging staging = Staging.of(client)) {
      return staging.stagedBytes();
    } catch (IOException unknown) {
      // The other figures are useful without this one.
      return null;
    }
  }
}
