// SPDX-License-Identifier: Apache-2.0

package io.forebay.consensus.ratis;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.client.Cluster;
import io.forebay.client.InstanceOptions;
import io.forebay.ring.PlacementSpec;
import io.forebay.server.ring.LocalRing;
import io.forebay.server.ring.RingShape;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Three managers as real processes, of which one has no room on its disk for a while. */
@Timeout(180)
class ManagersFullDiskTest {
  private static final int SEGMENT_BYTES = 1 << 20;
  private static final long LOOK_MILLIS = 50;

  @TempDir Path directory;

  private static void decide(LocalRing ring, String instance) throws IOException {
    try (Cluster cluster = ring.connect()) {
      cluster.createInstance(instance, InstanceOptions.defaults().withCopies(1));
    }
  }

  private static List<String> stops(LocalRing ring) throws IOException {
    return ring.managerLogLines().stream().filter(each -> each.contains(" has stopped: ")).toList();
  }

  private static boolean allRun(LocalRing ring) {
    try {
      ring.requireAlive();
      return true;
    } catch (IOException ended) {
      return false;
    }
  }

  @Test
  void aManagerWhoseDiskIsFullStopsAndComesBackWhenThereIsRoom() throws Exception {
    RingShape shape =
        new RingShape(
                1,
                1,
                SEGMENT_BYTES,
                16L * SEGMENT_BYTES,
                16L * SEGMENT_BYTES,
                new PlacementSpec(PlacementSpec.Kind.KETAMA, PlacementSpec.STRIPE_BYTES_DEFAULT, 0))
            .withManagers(3);
    String full = LocalRing.managerName(2);
    Path memory = Files.createDirectory(directory.resolve("memory"));
    try (SmallDisk disk = SmallDisk.mount(directory.resolve("ring").resolve(full));
        LocalRing ring = new LocalRing(shape, directory.resolve("ring"), memory)) {
      ring.start();
      String leader = Objects.requireNonNull(ring.leader());
      assertThat(leader).isNotEqualTo(full);

      disk.fill();
      // The log of a new term begins with a new file.
      ring.kill(leader);
      ring.startManager(leader);
      while (allRun(ring)) TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
      assertThat(stops(ring)).singleElement().asString().contains(full, "cannot be written");
      decide(ring, "without-it");

      disk.empty();
      ring.kill(full);
      ring.startManager(full);
      ring.awaitManagers();
      ring.requireAlive();
      decide(ring, "with-it");
      assertThat(ring.map().instances()).hasSize(3);
    }
  }
}
