// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.drain;

import io.forebay.bench.Rate;
import io.forebay.bench.Result;
import io.forebay.bench.Result.Better;
import io.forebay.bench.Rounds;
import io.forebay.bench.Samples;
import io.forebay.bench.bare.BarePeer;
import io.forebay.bench.process.ServedCluster;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.Supplier;

/**
 * A file that was drained and is still in the buffer, read by a client: compared with a bare
 * socket, and with a read from the store. Then the same file when the buffer has nothing of it and
 * caches what is read.
 */
final class RestartReads {
  private static final double AIM = 0.85;
  private static final String NAME = "file";
  private static final int REGION_BYTES = 256 << 20;
  private static final int PLACES_BYTES = 64 << 20;
  private static final int WARM_UPS = 2;

  /** The number of warm-up reads of the file, until the whole path is compiled. */
  private static final int WARM_UP_READS = 24;

  private final DrainGround ground;
  private final long bytes;
  private final ByteBuffer places = ByteBuffer.allocateDirect(PLACES_BYTES);

  RestartReads(DrainGround ground) {
    this.ground = ground;
    this.bytes = ground.scale().readBytes();
  }

  List<Result> measure() throws IOException, InterruptedException {
    ground.progress().measuring("restart from the buffer");
    String store = ground.store(DrainGround.SLOW, "restart");
    ServedCluster.Shape one =
        new ServedCluster.Shape(
                1, 1, ground.scale().memoryBytes(bytes), 0, ground.scale().segmentBytes())
            .withBackingRoot(ground.scratch().device());
    try (ServedCluster cluster = ServedCluster.start(one, ground.device());
        DrainedRing ring = DrainedRing.make(ground, cluster, 1, store);
        BarePeer bare =
            BarePeer.start(ground.device(), ground.scratch().inMemory("bare"), REGION_BYTES);
        SequentialWriter straight = new SequentialWriter(ground, store)) {
      ring.put("/" + NAME, bytes);
      ring.drain();
      ring.warmUp("/" + NAME, bytes, places);
      for (int i = 0; i < WARM_UP_READS; i++) {
        restart(ring);
        bare(bare);
      }
      ByteBuffer piece = ByteBuffer.allocateDirect(DrainedRing.PIECE_BYTES);
      List<Samples> samples =
          Rounds.figures(
              ground.scale().rounds(),
              WARM_UPS,
              List.of(
                  () -> restart(ring),
                  () -> bare(bare),
                  () -> straight.readMibPerSecond(NAME, bytes, piece)));
      ring.destroy();
      List<List<Twice>> twice =
          Rounds.run(
              ground.scale().rounds(),
              0,
              List.of(
                  () -> readTwice(cluster, store),
                  () -> new Twice(straight.readMibPerSecond(NAME, bytes, piece), 0)));
      Samples slow = Samples.of(twice.get(1), Twice::first);
      return List.of(
          result("restart read 1MiB", samples.get(0))
              .against("bare socket read", samples.get(1))
              .aimingAt(AIM),
          result("restart from the buffer", samples.get(0)).against("slow profile", samples.get(2)),
          result("read through, first time", Samples.of(twice.get(0), Twice::first))
              .against("slow profile", slow),
          result("read through, second time", Samples.of(twice.get(0), Twice::second))
              .against("slow profile", slow));
    }
  }

  /** MiB per second when the buffer has nothing of a file, and right after. */
  private record Twice(double first, double second) {}

  private Twice readTwice(ServedCluster cluster, String store)
      throws IOException, InterruptedException {
    try (DrainedRing over = DrainedRing.over(ground, cluster, store)) {
      Twice twice =
          new Twice(
              Rate.mibPerSecond(bytes, over.get("/" + NAME, bytes, places)),
              Rate.mibPerSecond(bytes, over.get("/" + NAME, bytes, places)));
      over.destroy();
      return twice;
    }
  }

  private static Result result(String name, Samples value) {
    return Result.of(name, Rate.MIB_PER_SECOND, Better.HIGHER, value);
  }

  /**
   * Reads the file, and then again for the figure: a read from the slow store mostly waits, and a
   * processor is slow for a moment after it was idle.
   */
  private double restart(DrainedRing ring) throws IOException {
    ring.get("/" + NAME, bytes, places);
    return Rate.mibPerSecond(bytes, ring.get("/" + NAME, bytes, places));
  }

  /** The same through a bare socket. */
  private double bare(BarePeer bare) throws IOException {
    int[] next = {0};
    Supplier<ByteBuffer> inTurn =
        () -> {
          int place = next[0]++ % (PLACES_BYTES / DrainedRing.PIECE_BYTES);
          return places.slice(place * DrainedRing.PIECE_BYTES, DrainedRing.PIECE_BYTES);
        };
    long count = bytes / DrainedRing.PIECE_BYTES;
    bare.get(DrainedRing.PIECE_BYTES, count, inTurn);
    return Rate.mibPerSecond(bytes, bare.get(DrainedRing.PIECE_BYTES, count, inTurn));
  }
}
