// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.path;

import io.forebay.bench.Benchmark.Progress;
import io.forebay.bench.Rounds;
import io.forebay.bench.transfer.Cost;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The device of the servers' SSD tier: large direct accesses by threads with a file each and by
 * depth (several threads at one file), and short writes that are forced one by one, as metadata is.
 */
final class DeviceHops implements AutoCloseable {
  private static final int LARGE_BYTES = 4 << 20;
  private static final int DEPTH = 4;
  private static final List<Integer> FORCED_BYTES = List.of(4 << 10, 64 << 10, 256 << 10);

  /** A measurement of forced writes ends after that many. */
  private static final int FORCED_MAX = 200;

  /** What direct access requires of buffers and positions, at any usual device. */
  private static final int ALIGNED_BYTES = 4096;

  /** A round: what was written is read. */
  private record Accesses(Cost write, Cost read) {}

  private static final OpenOption DIRECT = direct();

  private final PathScale scale;
  private final Path directory;
  private final Progress progress;
  private final boolean direct;
  private final List<Path> files = new ArrayList<>();

  DeviceHops(PathScale scale, Path directory, Progress progress) throws IOException {
    this.scale = scale;
    this.directory = directory;
    this.progress = progress;
    this.direct = takesDirect(directory);
  }

  /** By its name: the compiler warns of every class of its package, and nothing silences it. */
  private static OpenOption direct() {
    try {
      for (Object option :
          Class.forName("com.sun.nio.file.ExtendedOpenOption").getEnumConstants()) {
        if (option.toString().equals("DIRECT")) return (OpenOption) option;
      }
      throw new IllegalStateException("this JDK has no direct access");
    } catch (ClassNotFoundException none) {
      throw new IllegalStateException("this JDK has no direct access", none);
    }
  }

  /** Whether accesses pass the kernel's cache by; else writes end with a force. */
  boolean isDirect() {
    return direct;
  }

  private static boolean takesDirect(Path directory) throws IOException {
    Path probe = Files.createTempFile(directory, "direct", null);
    try (FileChannel channel = FileChannel.open(probe, StandardOpenOption.WRITE, DIRECT)) {
      channel.write(aligned(ALIGNED_BYTES), 0);
      return true;
    } catch (IOException | UnsupportedOperationException none) {
      return false;
    } finally {
      Files.delete(probe);
    }
  }

  List<Hop> measure() throws IOException, InterruptedException {
    List<Hop> hops = new ArrayList<>();
    for (int threads : scale.threads()) {
      for (int depth : List.of(1, DEPTH)) {
        String by = " x" + threads + ", depth " + depth;
        progress.measuring("device" + by);
        List<Rounds.Trial<Accesses>> trials = List.of(() -> accesses(threads, depth));
        List<Accesses> all = Rounds.run(scale.rounds(), scale.warmUps(), trials).getFirst();
        hops.add(new Hop("device: write 4MiB" + by, all.stream().map(Accesses::write).toList()));
        hops.add(new Hop("device: read 4MiB" + by, all.stream().map(Accesses::read).toList()));
      }
    }
    progress.measuring("forced writes");
    for (int bytes : FORCED_BYTES) {
      List<List<Cost>> costs =
          Rounds.run(scale.rounds(), scale.warmUps(), List.of(() -> forced(bytes)));
      hops.add(new Hop("device: write and force " + (bytes >> 10) + "KiB", costs.getFirst()));
    }
    return hops;
  }

  private Accesses accesses(int threads, int depth) throws IOException, InterruptedException {
    Cost write = large(threads, depth, true);
    return new Accesses(write, large(threads, depth, false));
  }

  private Cost large(int threads, int depth, boolean write)
      throws IOException, InterruptedException {
    int accesses = (int) Math.max(1, scale.bytes() / LARGE_BYTES / threads / depth);
    List<FileChannel> channels = new ArrayList<>();
    try {
      for (int i = 0; i < threads; i++) channels.add(open(i, write));
      long nanos =
          Together.nanos(
              threads * depth,
              index -> {
                FileChannel channel = channels.get(index / depth);
                ByteBuffer piece = aligned(LARGE_BYTES);
                for (int i = 0; i < accesses; i++) {
                  long at = ((long) i * depth + index % depth) * LARGE_BYTES;
                  access(channel, piece.clear(), at, write);
                }
                if (write && !direct) channel.force(false);
              });
      return new Cost((long) accesses * threads * depth * LARGE_BYTES, nanos, 0);
    } finally {
      for (FileChannel channel : channels) channel.close();
    }
  }

  private static void access(FileChannel channel, ByteBuffer piece, long at, boolean write)
      throws IOException {
    while (piece.hasRemaining()) {
      long where = at + piece.position();
      int moved = write ? channel.write(piece, where) : channel.read(piece, where);
      if (moved < 0) throw new IOException("the file is shorter than what was written");
    }
  }

  private FileChannel open(int number, boolean write) throws IOException {
    while (files.size() <= number) files.add(directory.resolve("device-" + files.size()));
    Set<OpenOption> options = new LinkedHashSet<>();
    options.add(write ? StandardOpenOption.WRITE : StandardOpenOption.READ);
    if (write) options.add(StandardOpenOption.CREATE);
    if (direct) options.add(DIRECT);
    return FileChannel.open(files.get(number), options);
  }

  private Cost forced(int bytes) throws IOException {
    long count = Math.min(FORCED_MAX, scale.messages(bytes, 1));
    Path file = directory.resolve("forced");
    ByteBuffer piece = aligned(bytes);
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.WRITE, StandardOpenOption.CREATE)) {
      long start = System.nanoTime();
      for (long i = 0; i < count; i++) {
        access(channel, piece.clear(), i * bytes, true);
        channel.force(false);
      }
      return new Cost(count * bytes, System.nanoTime() - start, 0);
    } finally {
      Files.deleteIfExists(file);
    }
  }

  private static ByteBuffer aligned(int bytes) {
    return ByteBuffer.allocateDirect(bytes + ALIGNED_BYTES)
        .alignedSlice(ALIGNED_BYTES)
        .slice(0, bytes);
  }

  @Override
  public void close() throws IOException {
    for (Path file : files) Files.deleteIfExists(file);
  }
}
