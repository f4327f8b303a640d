// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.demo;

import io.forebay.client.Forebay;
import io.forebay.client.ForebayFile;
import io.forebay.client.ForebayOptions;
import io.forebay.server.ring.LocalRing;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.LongConsumer;

/** Reads a burst with a client that wrote none of it and compares every byte. */
public final class ReadBack implements AutoCloseable {
  /** The number of records that are read ahead. */
  private static final int WINDOW = 16;

  private record Flight(int rank, int number, ByteBuffer record, CompletableFuture<Integer> read) {}

  private final Burst burst;
  private final BurstPattern pattern;
  private final ByteBuffer expected = BurstPattern.buffer();
  private final Forebay client;
  private final Map<String, ForebayFile> files = new LinkedHashMap<>();
  private long soundBytes;
  private long comparedBytes;

  private ReadBack(Burst burst, Forebay client) {
    this.burst = burst;
    this.pattern = new BurstPattern(burst.seed());
    this.client = client;
  }

  /** Connects. */
  public static ReadBack open(Burst burst, LocalRing ring) throws IOException {
    ForebayOptions options = ring.operatorOptions().withTimeout(Burst.TIMEOUT);
    return new ReadBack(burst, Forebay.connect(ring.uri(), options));
  }

  /**
   * Compares everything that was acknowledged.
   *
   * @param progress gets the number of bytes compared
   * @return how many bytes are in correct records
   */
  public long verify(LongConsumer progress) throws IOException {
    for (String name : Checkpoint.files()) files.put(name, client.open("/" + name));
    ArrayDeque<Flight> underWay = new ArrayDeque<>(WINDOW);
    for (int number = 0; number < burst.recordsPerRank(); number++) {
      for (int rank = 0; rank < DemoPlan.RANKS; rank++) {
        ByteBuffer record =
            underWay.size() < WINDOW ? BurstPattern.buffer() : land(underWay.remove(), progress);
        underWay.add(ask(rank, number, record));
      }
    }
    while (!underWay.isEmpty()) land(underWay.remove(), progress);
    return soundBytes;
  }

  private Flight ask(int rank, int number, ByteBuffer record) {
    Checkpoint.Spot spot = Checkpoint.spot(rank, number);
    ForebayFile file = files.get(spot.file());
    if (file == null) throw new IllegalStateException(spot.file() + " is not open");
    return new Flight(rank, number, record, file.readAsync(record.clear(), spot.offset()));
  }

  private ByteBuffer land(Flight flight, LongConsumer progress) throws IOException {
    ByteBuffer record = flight.record;
    if (get(flight.read) == BurstPattern.RECORD_BYTES) {
      pattern.fill(expected, flight.rank, flight.number);
      if (expected.mismatch(record.flip()) < 0) soundBytes += BurstPattern.RECORD_BYTES;
    }
    comparedBytes += BurstPattern.RECORD_BYTES;
    progress.accept(comparedBytes);
    return record;
  }

  private static int get(CompletableFuture<Integer> read) throws IOException {
    try {
      return read.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException failed) throw failed;
      throw new IllegalStateException("a read failed", e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  @Override
  public void close() throws IOException {
    client.close();
  }
}
