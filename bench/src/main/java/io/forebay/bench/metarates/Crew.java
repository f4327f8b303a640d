// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.metarates;

import io.forebay.bench.names.NameCrew;
import io.forebay.bench.names.NameTree;
import java.io.IOException;
import java.time.Instant;
import java.util.List;

/** Clients that do the same at the same time, each on its own files. */
public final class Crew implements AutoCloseable {
  private static final Instant TIME = Instant.ofEpochSecond(1_000_000_000);

  private final NameCrew clients;
  private final boolean ownDirectories;
  private final int files;

  /**
   * Gathers clients, which are closed with this.
   *
   * @param ownDirectories whether each client has a directory of its own, or all have one
   * @param files how many each client makes
   */
  public Crew(List<NameTree> clients, boolean ownDirectories, int files) {
    this.clients = new NameCrew(clients);
    this.ownDirectories = ownDirectories;
    this.files = files;
  }

  /** Makes, stats, touches and removes all files once. */
  public Figures measure() throws IOException, InterruptedException {
    for (int i = 0; i < directories(); i++) clients.client(i).makeDirectory(directory(i));
    Figures figures =
        new Figures(
            rate(NameTree::create),
            rate(NameTree::stat),
            rate((client, path) -> client.touch(path, TIME)),
            rate(NameTree::unlink));
    for (int i = 0; i < directories(); i++) clients.client(i).removeDirectory(directory(i));
    return figures;
  }

  /** One operation on one file. */
  private interface Operation {
    void run(NameTree client, String path) throws IOException;
  }

  private double rate(Operation operation) throws IOException, InterruptedException {
    return clients.rate(
        files,
        (client, number, item) ->
            operation.run(client, directory(number) + "/file-" + number + "-" + item));
  }

  private int directories() {
    return ownDirectories ? clients.size() : 1;
  }

  private String directory(int client) {
    return ownDirectories ? "/directory-" + client : "/directory";
  }

  @Override
  public void close() throws IOException {
    clients.close();
  }
}
