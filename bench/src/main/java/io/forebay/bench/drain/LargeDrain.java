// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.drain;

import io.forebay.base.ByteSize;
import io.forebay.bench.Rate;
import io.forebay.bench.Result;
import io.forebay.bench.Result.Better;
import io.forebay.bench.Samples;
import io.forebay.bench.process.Window;
import io.forebay.client.Forebay;
import io.forebay.client.ForebayFile;
import io.forebay.ring.DrainSpec;
import io.forebay.ring.PlacementSpec;
import io.forebay.seat.SeatConfig;
import io.forebay.server.StartFailed;
import io.forebay.server.ring.LocalRing;
import io.forebay.server.ring.RingShape;
import io.forebay.wire.message.Statuses;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;

/**
 * One very large file through servers with little memory: three processes, each with a heap of 512
 * MiB, as much for buffers, and a shuffle of 256 MiB. One copy, so that two thirds of what a server
 * writes come from others; most of the log is on the device. The stored file is compared with the
 * written one in the end.
 */
final class LargeDrain {
  static final String HEAP = "512m";

  private static final List<String> LIMITS =
      List.of("-Xmx" + HEAP, "-XX:MaxDirectMemorySize=" + HEAP);

  private static final String NAME = "large";
  private static final int SEGMENT_BYTES = 64 << 20;
  private static final long MEMORY_BYTES = 8L * SEGMENT_BYTES;
  private static final Duration PATIENCE = Duration.ofMinutes(20);

  private final DrainGround ground;
  private final long bytes;

  LargeDrain(DrainGround ground, long wantedBytes) {
    this.ground = ground;
    this.bytes =
        Math.ceilDiv(wantedBytes, (long) DrainedRing.PIECE_BYTES) * DrainedRing.PIECE_BYTES;
  }

  /** The room on the device: the servers' logs, and the file. */
  static long deviceBytes(long bytes) {
    return bytes * 5 / 2 + (long) DrainGround.SERVERS * 16 * SEGMENT_BYTES;
  }

  /** The memory, besides that of the processes. */
  static long memoryBytes() {
    return DrainGround.SERVERS * MEMORY_BYTES;
  }

  List<Result> measure() throws IOException {
    String size = ByteSize.format(bytes);
    ground.progress().measuring("drain of " + size + " by servers with a heap of " + HEAP);
    Path store = ground.scratch().onDevice("large-store");
    PlacementSpec stripes =
        new PlacementSpec(PlacementSpec.Kind.STRIPES, DrainedRing.PIECE_BYTES, 0);
    long ssdBytes = Math.ceilDiv(bytes / 2, (long) SEGMENT_BYTES) * SEGMENT_BYTES;
    RingShape shape =
        new RingShape(
                DrainGround.SERVERS,
                1,
                SEGMENT_BYTES,
                MEMORY_BYTES,
                ssdBytes + 16L * SEGMENT_BYTES,
                stripes)
            .withDrain(new DrainSpec(DrainGround.DEVICE + store, "request"))
            .withJava(LIMITS);
    Path files = ground.scratch().onDevice("large-ring");
    try (LocalRing ring = new LocalRing(shape, files, ground.scratch().inMemory("large"))) {
      ring.start();
      return drain(ring, store, size);
    } catch (StartFailed e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  private List<Result> drain(LocalRing ring, Path store, String size) throws IOException {
    long nanos;
    try (Forebay client = Forebay.connect(ring.uri())) {
      write(client);
      ring.requireAlive();
      long start = System.nanoTime();
      client.drainAndAwait(List.of("/"), PATIENCE, progress -> {});
      nanos = System.nanoTime() - start;
    }
    ring.requireAlive();
    verify(store.resolve(NAME));
    long most = 0;
    for (Statuses.SeatStatus seat : ring.status().values()) {
      most = Math.max(most, seat.counters().shuffleBytes());
    }
    double rate = Rate.mibPerSecond(bytes, nanos);
    String name = "drain of " + size + ", heap " + HEAP;
    return List.of(
        Result.of(name, Rate.MIB_PER_SECOND, Better.HIGHER, Samples.of(rate)),
        Result.of(name + ": shuffle", "MiB", Better.LOWER, Samples.of(most / PlannedWrites.MIB))
            .aimingAt(SeatConfig.SHUFFLE_BYTES_DEFAULT / PlannedWrites.MIB));
  }

  private void write(Forebay client) throws IOException {
    try (ForebayFile file =
        client.open("/" + NAME, StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW)) {
      Window window = new Window(DrainedRing.WINDOW);
      for (long at = 0; at < bytes; at += DrainedRing.PIECE_BYTES) {
        window.awaitRoom();
        window.add(file.writeAsync(ground.bytesAt(at, DrainedRing.PIECE_BYTES), at));
      }
      window.awaitAll();
    }
  }

  private void verify(Path stored) throws IOException {
    ByteBuffer found = ByteBuffer.allocateDirect(DrainedRing.PIECE_BYTES);
    try (FileChannel channel = FileChannel.open(stored, StandardOpenOption.READ)) {
      for (long at = 0; at < bytes; at += DrainedRing.PIECE_BYTES) {
        found.clear();
        while (found.hasRemaining() && channel.read(found, at + found.position()) >= 0) {}
        if (found.flip().mismatch(ground.bytesAt(at, DrainedRing.PIECE_BYTES)) >= 0) {
          throw new IOException("'" + stored + "' has other bytes behind " + at);
        }
      }
    }
  }
}
