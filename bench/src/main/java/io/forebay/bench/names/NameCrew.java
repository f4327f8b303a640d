// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.names;

import io.forebay.bench.Rate;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadFactory;

/** Clients that do the same at the same time, each on a thread of its own. One thread uses it. */
public final class NameCrew implements AutoCloseable {
  /** Something that a client does with one of its files. */
  public interface Step {
    /**
     * Does it.
     *
     * @param number of the client, from 0
     * @param item of the file, from 0
     */
    void run(NameTree client, int number, int item) throws IOException;
  }

  private final List<NameTree> clients;
  private final ExecutorService threads;

  /** Gathers clients, which are closed with this. */
  public NameCrew(List<NameTree> clients) {
    this.clients = List.copyOf(clients);
    ThreadFactory factory = Thread.ofPlatform().name("client-", 0).factory();
    this.threads = Executors.newFixedThreadPool(clients.size(), factory);
  }

  public int size() {
    return clients.size();
  }

  public NameTree client(int number) {
    return clients.get(number);
  }

  /** Makes each client repeat an operation; returns the total rate per second. */
  public double rate(int items, Step step) throws IOException, InterruptedException {
    List<Callable<Void>> parts = new ArrayList<>();
    for (int i = 0; i < clients.size(); i++) {
      int number = i;
      NameTree client = clients.get(i);
      parts.add(
          () -> {
            for (int item = 0; item < items; item++) step.run(client, number, item);
            return null;
          });
    }
    long start = System.nanoTime();
    for (Future<Void> part : threads.invokeAll(parts)) {
      try {
        part.get();
      } catch (ExecutionException e) {
        throw new IOException(e.getCause());
      }
    }
    return Rate.perSecond((long) items * clients.size(), System.nanoTime() - start);
  }

  @Override
  public void close() throws IOException {
    threads.shutdownNow();
    for (NameTree client : clients) client.close();
  }
}
