// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.ring;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.client.Cluster;
import io.forebay.client.Forebay;
import io.forebay.client.InstanceOptions;
import io.forebay.server.ClusterStart;
import io.forebay.server.StartFailed;
import io.forebay.server.Workload;
import io.forebay.testing.TestSeed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A manager and three servers, each a process of its own, and clients that come and go. */
@Timeout(300)
class RealProcessesTest {
  private static final int SERVERS = 3;
  private static final int CLIENTS = 3;
  private static final int SIGTERM_EXIT = 128 + 15;

  @TempDir private Path directory;

  private final List<ChildProcess> servers = new ArrayList<>();
  private final List<Forebay> clients = new ArrayList<>();
  private ChildProcess manager;
  private String cluster;

  @BeforeEach
  void startAll() throws IOException, StartFailed {
    Files.createDirectories(directory.resolve("memory"));
    manager = startManager("127.0.0.1:0");
    cluster = "forebay://" + manager.address();
    for (int i = 0; i < SERVERS; i++) servers.add(startServer(i));
    ClusterStart.await(cluster, SERVERS, "work", 2);
  }

  @AfterEach
  void endAll() {
    for (ChildProcess server : servers) server.close();
    manager.close();
  }

  private ChildProcess startManager(String listen) throws IOException {
    return ChildProcess.start(
        directory.resolve("manager.log"),
        "manager",
        "--dir",
        directory.resolve("manager").toString(),
        "--listen",
        listen,
        "--expect",
        Integer.toString(SERVERS),
        "--wait",
        "60s");
  }

  private ChildProcess startServer(int number) throws IOException {
    return ChildProcess.start(
        directory.resolve("server-" + number + ".log"),
        "server",
        "--dir",
        directory.resolve("server-" + number).toString(),
        "--memory-root",
        directory.resolve("memory").toString(),
        "--managers",
        manager.address(),
        "--memory",
        "16MiB",
        "--ssd",
        "32MiB",
        "--segment",
        "1MiB");
  }

  private Forebay connect() throws IOException {
    return Forebay.connect(cluster + "/work");
  }

  @Test
  void clientsReadWhatOthersWroteThroughRestarts() throws Exception {
    Random random = new Random(TestSeed.next("RealProcessesTest"));
    List<Workload> workloads = new ArrayList<>();
    for (int i = 0; i < CLIENTS; i++) workloads.add(new Workload("c" + i, random.nextLong()));

    atOnce(workload -> workload.write(newClient(), 6), workloads);
    closeClients();
    // Each by a client that wrote none of it.
    atOnce(workload -> workload.check(newClient()), workloads);
    closeClients();

    assertThat(servers.get(1).terminate()).isEqualTo(SIGTERM_EXIT);
    servers.set(1, startServer(1));
    checkAll(workloads);

    servers.get(2).kill();
    servers.set(2, startServer(2));
    checkAll(workloads);

    assertThat(manager.terminate()).isEqualTo(SIGTERM_EXIT);
    manager = startManager(manager.address());
    for (Workload workload : workloads) workload.write(newClient(), 1);
    closeClients();
    checkAll(workloads);
  }

  /** All are killed, and what they had in memory goes, as if the power had been cut. */
  @Test
  void whatWasForcedComesBackWithoutMemory() throws Exception {
    Random random = new Random(TestSeed.next("RealProcessesTest"));
    Workload forced = new Workload("f", random.nextLong());
    try (Cluster all = Cluster.connect(cluster)) {
      all.createInstance("forced", InstanceOptions.defaults().withForced(true));
    }
    try (Forebay client = Forebay.connect(cluster + "/forced");
        Forebay other = connect()) {
      forced.write(client, 6);
      new Workload("r", random.nextLong()).write(other, 3);
      assertThat(client.restoredGroups()).isEmpty();
      manager.kill();
      for (ChildProcess server : servers) server.kill();
      removeMemory();
      manager = startManager(manager.address());
      for (int i = 0; i < SERVERS; i++) servers.set(i, startServer(i));
      forced.check(client);
      forced.write(client, 1);
      assertThat(client.restoredGroups()).as("nothing is missing").isEmpty();
    }
    try (Forebay another = connect()) {
      assertThat(another.restoredGroups()).as("what was not forced may be missing").hasSize(1);
    }
    try (Forebay another = Forebay.connect(cluster + "/forced")) {
      forced.check(another);
    }
  }

  private void removeMemory() throws IOException {
    try (Stream<Path> files = Files.walk(directory.resolve("memory"))) {
      for (Path each : files.sorted(Comparator.reverseOrder()).toList()) Files.delete(each);
    }
    Files.createDirectories(directory.resolve("memory"));
  }

  private Forebay newClient() throws IOException {
    Forebay client = connect();
    synchronized (clients) {
      clients.add(client);
    }
    return client;
  }

  private void closeClients() throws IOException {
    for (Forebay client : clients) client.close();
    clients.clear();
  }

  private void checkAll(List<Workload> workloads) throws IOException {
    try (Forebay client = connect()) {
      for (Workload workload : workloads) workload.check(client);
    }
  }

  private interface Step {
    void run(Workload workload) throws IOException;
  }

  private static void atOnce(Step step, List<Workload> workloads) throws Exception {
    try (ExecutorService threads = Executors.newFixedThreadPool(workloads.size())) {
      List<Callable<Void>> all = new ArrayList<>();
      for (Workload workload : workloads) {
        all.add(
            () -> {
              step.run(workload);
              return null;
            });
      }
      for (Future<Void> each : threads.invokeAll(all)) each.get();
    }
  }
}
