// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.names;

import io.forebay.bench.process.ServedCluster;
import io.forebay.client.Forebay;
import io.forebay.client.ForebayFile;
import io.forebay.client.ForebayOptions;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** The names of an instance, through a connection of its own. */
public final class RingTree implements NameTree {
  private final Forebay client;

  public RingTree(Forebay client) {
    this.client = client;
  }

  /** Clients of an instance, each as if on a host of its own, which has its own private tree. */
  public static List<NameTree> onHosts(ServedCluster cluster, String instance, int clients)
      throws IOException {
    List<NameTree> trees = new ArrayList<>();
    for (int i = 0; i < clients; i++) {
      ForebayOptions options = ForebayOptions.defaults().withNode(host(i));
      trees.add(new RingTree(cluster.connect(instance, options)));
    }
    return trees;
  }

  /** The name of a client's host. */
  public static String host(int client) {
    return "host-" + client;
  }

  @Override
  public void makeDirectory(String path) throws IOException {
    client.mkdir(path);
  }

  @Override
  public void removeDirectory(String path) throws IOException {
    client.rmdir(path);
  }

  @Override
  public void create(String path) throws IOException {
    client.open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE).close();
  }

  @Override
  public void create(String path, ByteBuffer bytes) throws IOException {
    try (ForebayFile file =
        client.open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      file.write(bytes, 0);
    }
  }

  @Override
  public void read(String path, ByteBuffer target) throws IOException {
    try (ForebayFile file = client.open(path, StandardOpenOption.READ)) {
      file.read(target, 0);
      if (target.hasRemaining()) throw new EOFException(path + " ends too early");
    }
  }

  @Override
  public void stat(String path) throws IOException {
    client.stat(path);
  }

  @Override
  public void touch(String path, Instant time) throws IOException {
    client.utimes(path, time, time);
  }

  @Override
  public void unlink(String path) throws IOException {
    client.unlink(path);
  }

  @Override
  public void close() throws IOException {
    client.close();
  }
}
