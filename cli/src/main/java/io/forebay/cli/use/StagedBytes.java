// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.use;

import io.forebay.cli.remote.RemoteOptions;
import io.forebay.client.Forebay;
import io.forebay.client.stage.StageRequest;
import io.forebay.client.stage.StageStatus;
import io.forebay.client.stage.Staging;
import io.forebay.ring.Instance;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The bytes of the stages that an instance records: those that are active, and the last ones. */
record StagedBytes(long inBytes, long outBytes) {
  /**
   * Asks an instance; null if it does not answer, or not to this user. One of private access is not
   * asked: each node has a tree of its own there, and asking would make one.
   */
  static @Nullable StagedBytes of(RemoteOptions remote, Instance instance) {
    if (instance.access() == Instance.Access.PRIVATE) return null;
    try (Forebay client = remote.instance(instance.name());
        Staging staging = Staging.of(client)) {
      long in = 0;
      long out = 0;
      for (StageStatus stage : staging.all()) {
        if (stage.request().direction() == StageRequest.Direction.IN) in += stage.bytesCopied();
        else out += stage.bytesCopied();
      }
      return new StagedBytes(in, out);
    } catch (IOException unknown) {
      // The other figures are useful without this one.
      return null;
    }
  }
}
