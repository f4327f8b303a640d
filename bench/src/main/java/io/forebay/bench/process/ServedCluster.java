// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.process;

import io.forebay.client.Cluster;
import io.forebay.client.Forebay;
import io.forebay.client.ForebayOptions;
import io.forebay.client.InstanceOptions;
import io.forebay.ring.SeatEntry;
import io.forebay.server.Access;
import io.forebay.server.EmbeddedCluster;
import io.forebay.server.StartFailed;
import io.forebay.server.metrics.MetricsOptions;
import io.forebay.wire.Address;
import io.forebay.wire.message.Statuses;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** A manager and servers, usually in a separate process, and a connection to administer them. */
public final class ServedCluster implements AutoCloseable {
  /**
   * What a cluster is.
   *
   * @param seats of each server
   * @param memoryBytes of each server
   * @param ssdBytes of each server
   * @param redirects whether seats that are short of room send clients to others
   * @param backingRoot below which its instances may drain; empty for nowhere
   * @param transport how clients and servers reach each other
   * @param metricsPort where it tells its metrics; 0 for nowhere
   */
  public record Shape(
      int servers,
      int seats,
      long memoryBytes,
      long ssdBytes,
      int segmentBytes,
      boolean redirects,
      String backingRoot,
      Transport transport,
      int metricsPort) {
    private static final int COUNT = 9;

    public Shape(int servers, int seats, long memoryBytes, long ssdBytes, int segmentBytes) {
      this(servers, seats, memoryBytes, ssdBytes, segmentBytes, true, "", Transport.LOCAL, 0);
    }

    public Shape withoutRedirects() {
      return new Shape(
          servers,
          seats,
          memoryBytes,
          ssdBytes,
          segmentBytes,
          false,
          backingRoot,
          transport,
          metricsPort);
    }

    public Shape withBackingRoot(Path root) {
      return new Shape(
          servers,
          seats,
          memoryBytes,
          ssdBytes,
          segmentBytes,
          redirects,
          root.toString(),
          transport,
          metricsPort);
    }

    public Shape over(Transport other) {
      return new Shape(
          servers,
          seats,
          memoryBytes,
          ssdBytes,
          segmentBytes,
          redirects,
          backingRoot,
          other,
          metricsPort);
    }

    public Shape withMetrics(int port) {
      return new Shape(
          servers,
          seats,
          memoryBytes,
          ssdBytes,
          segmentBytes,
          redirects,
          backingRoot,
          transport,
          port);
    }

    static Shape of(String[] arguments) {
      if (arguments.length != COUNT) throw new IllegalArgumentException("not a shape");
      return new Shape(
          Integer.parseInt(arguments[0]),
          Integer.parseInt(arguments[1]),
          Long.parseLong(arguments[2]),
          Long.parseLong(arguments[3]),
          Integer.parseInt(arguments[4]),
          Boolean.parseBoolean(arguments[5]),
          arguments[6],
          Transport.of(arguments[7]),
          Integer.parseInt(arguments[8]));
    }

    EmbeddedCluster start() throws StartFailed, IOException {
      return EmbeddedCluster.builder()
          .servers(servers)
          .seats(seats)
          .copies(1)
          .budget(memoryBytes, ssdBytes)
          .segmentBytes(segmentBytes)
          .redirects(redirects)
          .backingRoots(backingRoot.isEmpty() ? List.<Path>of() : List.of(Path.of(backingRoot)))
          .unixSockets(transport.unixSockets())
          .access(new Access(false, transport.tls()).with(metrics()))
          .withoutInstance()
          .start();
    }

    private MetricsOptions metrics() {
      if (metricsPort == 0) return MetricsOptions.OFF;
      return new MetricsOptions(new Address.Inet("127.0.0.1", metricsPort), false, Set.of());
    }

    private List<String> toArguments() {
      return List.of(
          Integer.toString(servers),
          Integer.toString(seats),
          Long.toString(memoryBytes),
          Long.toString(ssdBytes),
          Integer.toString(segmentBytes),
          Boolean.toString(redirects),
          backingRoot,
          transport.toArgument(),
          Integer.toString(metricsPort));
    }
  }

  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);
  private static final long PAUSE_MILLIS = 5;

  /** The host of the servers. */
  private interface Host {
    String where();

    long cpuNanos() throws IOException;

    long compileMillis() throws IOException;

    void close() throws IOException;
  }

  private final Host host;
  private final Transport transport;
  private final Cluster cluster;

  private ServedCluster(Host host, Transport transport) throws IOException {
    this.host = host;
    this.transport = transport;
    try {
      this.cluster =
          Cluster.connect(host.where(), ForebayOptions.defaults().withTls(transport.tls()));
    } catch (IOException e) {
      host.close();
      throw e;
    }
  }

  /**
   * Starts a cluster without instances and waits until it serves.
   *
   * @param directory where what belongs on a device goes
   */
  public static ServedCluster start(Shape shape, Path directory) throws IOException {
    return new ServedCluster(
        new ChildHost(Child.start(ClusterChild.class, directory, shape.toArguments())),
        shape.transport());
  }

  /**
   * Starts one in this process, which is faster: for trials, not for measurements. Its files are
   * temporary, and its processor time is this process's.
   */
  public static ServedCluster startHere(Shape shape) throws IOException {
    try {
      return new ServedCluster(new EmbeddedHost(shape.start()), shape.transport());
    } catch (StartFailed e) {
      throw new IOException(e);
    }
  }

  private record ChildHost(Child child) implements Host {
    @Override
    public String where() {
      return child.where();
    }

    @Override
    public long cpuNanos() throws IOException {
      return child.cpuNanos();
    }

    @Override
    public long compileMillis() throws IOException {
      return child.compileMillis();
    }

    @Override
    public void close() throws IOException {
      child.close();
    }
  }

  private record EmbeddedHost(EmbeddedCluster embedded) implements Host {
    @Override
    public String where() {
      return embedded.uri("");
    }

    @Override
    public long cpuNanos() {
      return 0;
    }

    @Override
    public long compileMillis() {
      return 0;
    }

    @Override
    public void close() {
      embedded.close();
    }
  }

  public void create(String instance, InstanceOptions options) throws IOException {
    cluster.createInstance(instance, options);
  }

  public void destroy(String instance) throws IOException {
    cluster.discardInstance(instance);
  }

  public Forebay connect(String instance, ForebayOptions options) throws IOException {
    return Forebay.connect(uri(instance), options.withTls(transport.tls()));
  }

  /** The address of an instance. */
  public String uri(String instance) {
    return host.where() + "/" + instance;
  }

  /** The processor time that its process has used so far; 0 if it is this one. */
  public long cpuNanos() throws IOException {
    return host.cpuNanos();
  }

  /** How long the compilers of its process have worked so far; 0 if it is this one. */
  public long compileMillis() throws IOException {
    return host.compileMillis();
  }

  /** Waits until no seat holds any record: all that was deleted is gone and its room is free. */
  public void awaitEmpty() throws IOException, InterruptedException {
    long start = System.nanoTime();
    while (true) {
      long records = records();
      if (records == 0) return;
      if (System.nanoTime() - start > PATIENCE_NANOS) {
        throw new IllegalStateException(records + " records of deleted files do not go away");
      }
      TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
    }
  }

  /** What each seat has counted so far, in the order of the ring. */
  public List<Statuses.Counters> counters() throws IOException {
    List<Statuses.Counters> all = new ArrayList<>();
    for (SeatEntry seat : cluster.map().seats()) {
      all.add(cluster.seatStatus(seat.id()).counters());
    }
    return all;
  }

  private long records() throws IOException {
    long records = 0;
    for (SeatEntry seat : cluster.map().seats()) {
      Statuses.SeatStatus status = cluster.seatStatus(seat.id());
      records += status.records();
    }
    return records;
  }

  @Override
  public void close() throws IOException {
    try {
      cluster.close();
    } finally {
      host.close();
    }
  }
}
