// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.stage;

import io.forebay.bench.Scratch;
import io.forebay.server.EmbeddedCluster;
import io.forebay.server.StartFailed;
import io.forebay.server.stage.side.StageAccess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Servers in this process that stage, with all their files where the benchmark may write. */
final class StagingRing implements AutoCloseable {
  private static final int MIB = 1 << 20;
  private static final int SEGMENT_BYTES = 4 * MIB;

  /** The memory that each server takes. */
  static final long MEMORY_BYTES = 64L * MIB;

  /**
   * What a ring is to be.
   *
   * @param rateBytes how many bytes per second each server may read; 0 if that is not limited
   * @param ssdBytes the room of each server
   */
  record Shape(String name, int servers, long rateBytes, long ssdBytes) {
    long allBytes() {
      return servers * ssdBytes;
    }
  }

  private final Path files;
  private final EmbeddedCluster cluster;

  /** Starts it; files below the source may be staged. */
  StagingRing(Shape shape, Path source, Scratch scratch) throws IOException, StartFailed {
    this.files = scratch.onDevice(shape.name());
    this.cluster =
        EmbeddedCluster.builder()
            .servers(shape.servers())
            .copies(1)
            .segmentBytes(SEGMENT_BYTES)
            .budget(MEMORY_BYTES, shape.ssdBytes())
            .directory(files)
            .memoryRoot(scratch.inMemory(shape.name()))
            .staging(new StageAccess(List.of(source.toRealPath()), shape.rateBytes()))
            .start();
  }

  EmbeddedCluster cluster() {
    return cluster;
  }

  /** The next ring may need the room on the device. */
  @Override
  public void close() throws IOException {
    cluster.close();
    Scratch.delete(files);
  }
}
