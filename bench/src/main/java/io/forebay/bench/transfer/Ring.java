// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.transfer;

import io.forebay.bench.process.CpuTime;
import io.forebay.bench.process.ServedCluster;
import io.forebay.bench.process.Window;
import io.forebay.client.Forebay;
import io.forebay.client.ForebayFile;
import io.forebay.client.ForebayOptions;
import io.forebay.client.InstanceOptions;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.StandardOpenOption;
import java.util.function.LongConsumer;
import java.util.function.Supplier;

/**
 * One instance of a cluster and one client of it. The files of a measurement are deleted at its
 * end, which is not timed, so that the next one finds the memory free.
 */
public final class Ring implements AutoCloseable {
  private static final String FILE = "/file";
  private static final int WARM_UP_WINDOW = 16;

  private final ServedCluster cluster;
  private final Forebay client;

  private Ring(ServedCluster cluster, Forebay client) {
    this.cluster = cluster;
    this.client = client;
  }

  /** Makes an instance and connects to it. The cluster stays open when this is closed. */
  public static Ring make(ServedCluster cluster, String instance, InstanceOptions options)
      throws IOException {
    cluster.create(instance, options);
    return new Ring(cluster, cluster.connect(instance, ForebayOptions.defaults()));
  }

  public Forebay client() {
    return client;
  }

  public ServedCluster cluster() {
    return cluster;
  }

  /** A transfer that reports its duration. */
  public interface Work {
    long nanos() throws IOException;
  }

  /** Runs a transfer and adds up its cost on both sides. */
  public Cost cost(long bytes, Work work) throws IOException {
    long before = CpuTime.nanos() + cluster.cpuNanos();
    long nanos = work.nanos();
    return new Cost(bytes, nanos, CpuTime.nanos() + cluster.cpuNanos() - before);
  }

  /** Warms up the JIT on both ends, with many short calls. */
  public void warmUp(int calls, Supplier<ByteBuffer> payloads)
      throws IOException, InterruptedException {
    Transfer transfer = new Transfer(payloads.get().remaining(), calls, WARM_UP_WINDOW);
    put(transfer, payloads);
    fill(transfer, payloads);
    get(transfer, () -> ByteBuffer.allocateDirect(transfer.payloadBytes()));
    delete();
  }

  /** Writes a file without copying; ends when all of it is acknowledged. */
  public Cost put(Transfer transfer, Supplier<ByteBuffer> payloads)
      throws IOException, InterruptedException {
    Cost cost;
    try (ForebayFile file = create()) {
      cost = cost(transfer.bytes(), () -> putAll(file, transfer, payloads));
    }
    delete();
    return cost;
  }

  private static long putAll(ForebayFile file, Transfer transfer, Supplier<ByteBuffer> payloads)
      throws IOException {
    long start = System.nanoTime();
    Window window = new Window(transfer.window());
    for (long i = 0; i < transfer.count(); i++) {
      window.awaitRoom();
      window.add(file.writeAsync(payloads.get(), i * transfer.payloadBytes()));
    }
    window.awaitAll();
    return System.nanoTime() - start;
  }

  /** Writes a file by calls that return as soon as they can; ends when all is published. */
  public Cost write(Transfer transfer, Supplier<ByteBuffer> payloads)
      throws IOException, InterruptedException {
    Cost cost;
    try (ForebayFile file = create()) {
      cost =
          cost(
              transfer.bytes(),
              () -> {
                long start = System.nanoTime();
                for (long i = 0; i < transfer.count(); i++) {
                  file.write(payloads.get(), i * transfer.payloadBytes());
                }
                file.sync();
                return System.nanoTime() - start;
              });
    }
    delete();
    return cost;
  }

  /** Writes pieces, each after the acknowledgement of the one before; reports the time of each. */
  public void putEach(Transfer transfer, Supplier<ByteBuffer> payloads, LongConsumer nanos)
      throws IOException, InterruptedException {
    try (ForebayFile file = create()) {
      for (long i = 0; i < transfer.count(); i++) {
        long start = System.nanoTime();
        Window.await(file.writeAsync(payloads.get(), i * transfer.payloadBytes()));
        nanos.accept(System.nanoTime() - start);
      }
    }
    delete();
  }

  /** Makes the file that {@link #get} reads; it stays until {@link #delete}. */
  public void fill(Transfer transfer, Supplier<ByteBuffer> payloads) throws IOException {
    try (ForebayFile file = create()) {
      putAll(file, transfer, payloads);
    }
  }

  /** Reads the file from its beginning to its end. */
  public Cost get(Transfer transfer, Supplier<ByteBuffer> places) throws IOException {
    try (ForebayFile file = client.open(FILE, StandardOpenOption.READ)) {
      return cost(
          transfer.bytes(),
          () -> {
            long start = System.nanoTime();
            Window window = new Window(transfer.window());
            for (long i = 0; i < transfer.count(); i++) {
              window.awaitRoom();
              window.add(file.readAsync(places.get(), i * transfer.payloadBytes()));
            }
            window.awaitAll();
            return System.nanoTime() - start;
          });
    }
  }

  private ForebayFile create() throws IOException {
    return client.open(FILE, StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW);
  }

  /** Deletes the file and waits until its memory is free. */
  public void delete() throws IOException, InterruptedException {
    client.unlink(FILE);
    cluster.awaitEmpty();
  }

  @Override
  public void close() throws IOException {
    client.close();
  }
}
