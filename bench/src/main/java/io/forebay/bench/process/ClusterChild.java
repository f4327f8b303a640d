// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.process;

import io.forebay.server.EmbeddedCluster;
import io.forebay.server.StartFailed;
import java.io.IOException;

/** The program of {@link ServedCluster}: a manager and servers until standard input ends. */
final class ClusterChild {
  private ClusterChild() {}

  public static void main(String[] arguments) throws StartFailed, IOException {
    try (OrderlyChild _ = OrderlyChild.begin();
        EmbeddedCluster cluster = ServedCluster.Shape.of(arguments).start()) {
      ChildDesk.serve(cluster.uri(""));
    }
  }
}
