package io.forebay.bench.metarates;

import io.forebay.bench.Rate;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadFactory;

/** Clients that do the same at the same time, each on its own thread and on its own files. */
final class Crew implements AutoCloseable {
  private static final Instant TIME = Instant.ofEpochSecond(1_000_000_000);

  private final List<NameTree> clients;
  private final boolean ownDirectories;
  private final int files;
  private final ExecutorService threads;

  /**
   * Gathers clients, which are closed with this.
   *
   * @param ownDirectories whether each client has a directory of its own, or all have one
   * @param files how many each client makes
   */
  Crew(List<NameTree> clients, boolean ownDirectories, int files) {
    this.clients = List.copyOf(clients);
    this.ownDirectories = ownDirectories;
    this.files = files;
    ThreadFactory factory = Thread.ofPlatform().name("client-", 0).factory();
    this.threads = Executors.newFixedThreadPool(clients.size(), factory);
  }

  /** One operation on one file. */
  private interface Operation {
    void run(NameTree client, String path) throws IOException;
  }

  Figures measure() throws IOException, InterruptedException {
    for (int i = 0; i < directories(); i++) clients.get(i).makeDirectory(directory(i));
    Figures figures =
        new Figures(
            rate(NameTree::create),
            rate(NameTree::stat),
            rate((client, path) -> client.touch(path, TIME)),
            rate(NameTree::unlink));
    for (int i = 0; i < directories(); i++) clients.get(i).removeDirectory(directory(i));
    return figures;
  }

  private int directories() {
    return ownDirectories ? clients.size() : 1;
  }

  private String directory(int client) {
    return ownDirectories ? "/directory-" + client : "/directory";
  }

  private double rate(Operation operation) throws IOException, InterruptedException {
    List<Callable<Void>> parts = new ArrayList<>();
    for (int i = 0; i < clients.size(); i++) {
      NameTree client = clients.get(i);
      String prefix = directory(i) + "/file-" + i + "-";
      parts.add(
          () -> {
            for (int file = 0; file < files; file++) operation.run(client, prefix + file);
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
    return Rate.perSecond((long) files * clients.size(), System.nanoTime() - start);
  }

  @Override
  public void close() throws IOException {
    threads.shutdownNow();
    for (NameTree client : clients) client.close();
  }
}
