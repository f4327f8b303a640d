package io.forebay.bench.process;

import io.forebay.server.EmbeddedCluster;
import io.forebay.server.StartFailed;
import java.io.IOException;

/** The program of {@link ServedCluster}: a manager and servers until standard input ends. */
final class ClusterChild {
  private ClusterChild() {}

  public static void main(String[] arguments) throws StartFailed, IOException {
    ServedCluster.Shape shape = ServedCluster.Shape.of(arguments);
    try (EmbeddedCluster cluster =
        EmbeddedCluster.builder()
            .servers(shape.servers())
            .seats(shape.seats())
            .copies(1)
            .budget(shape.memoryBytes(), shape.ssdBytes())
            .segmentBytes(shape.segmentBytes())
            .redirects(shape.redirects())
            .withoutInstance()
            .start()) {
      ChildDesk.serve(cluster.uri(""));
    }
  }
}
