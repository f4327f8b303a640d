// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.path;

import io.forebay.backing.Attempt;
import io.forebay.backing.AttemptId;
import io.forebay.backing.AttemptPlan;
import io.forebay.backing.BackingException;
import io.forebay.backing.BackingPath;
import io.forebay.backing.BackingStore;
import io.forebay.backing.BackingStores;
import io.forebay.backing.FileAttributes;
import io.forebay.bench.Benchmark.Progress;
import io.forebay.bench.Rounds;
import io.forebay.bench.transfer.Cost;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * The backing store by writers: each writes a file of its own as a drain does, large and in order.
 */
final class BackingHops implements AutoCloseable {
  private static final int WRITE_BYTES = 8 << 20;

  private final PathScale scale;
  private final ByteBuffer source;
  private final Progress progress;
  private final List<BackingStore> stores = new ArrayList<>();
  private final String address;
  private int files;

  BackingHops(PathScale scale, String address, ByteBuffer source, Progress progress) {
    this.scale = scale;
    this.address = address;
    this.source = source;
    this.progress = progress;
  }

  List<Hop> measure() throws IOException, InterruptedException {
    List<Hop> hops = new ArrayList<>();
    for (int writers : scale.threads()) {
      progress.measuring("backing store, " + writers + " writers");
      while (stores.size() < writers) stores.add(BackingStores.ofThisProgram().open(address));
      List<List<Cost>> costs =
          Rounds.run(scale.rounds(), 0, List.of(() -> written(writers, files += writers)));
      hops.add(new Hop("backing store: write x" + writers, costs.getFirst()));
    }
    return hops;
  }

  private Cost written(int writers, int first) throws IOException, InterruptedException {
    long bytes = Math.max(WRITE_BYTES, scale.bytes() / writers);
    long nanos = Together.nanos(writers, index -> write(stores.get(index), first + index, bytes));
    for (int i = 0; i < writers; i++) delete(stores.get(i), first + i);
    return new Cost(bytes * writers, nanos, 0);
  }

  private void write(BackingStore store, int number, long bytes) throws IOException {
    try {
      AttemptId id = new AttemptId("bench-path." + number);
      BackingPath name = name(number);
      Attempt attempt = store.begin(new AttemptPlan(id, name, bytes, FileAttributes.NONE));
      for (long at = 0; at < bytes; at += WRITE_BYTES) {
        int length = (int) Math.min(WRITE_BYTES, bytes - at);
        store.write(attempt, at, List.of(source.slice(0, length)));
      }
      store.force(attempt);
      store.commit(attempt, name);
    } catch (BackingException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  private static void delete(BackingStore store, int number) throws IOException {
    try {
      store.delete(name(number), BackingStore.ANY_VERSION);
    } catch (BackingException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  private static BackingPath name(int number) {
    return BackingPath.of("bench-path-" + number);
  }

  @Override
  public void close() {
    stores.forEach(BackingStore::close);
  }
}
