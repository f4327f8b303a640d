// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.path;

import io.forebay.bench.Benchmark;
import io.forebay.bench.BenchmarkImpossible;
import io.forebay.bench.Machine;
import io.forebay.bench.Result;
import io.forebay.bench.Rounds;
import io.forebay.bench.Scratch;
import io.forebay.bench.ior.IorTarget;
import io.forebay.bench.process.MountedDirectories;
import io.forebay.bench.process.MountedDirectories.Caching;
import io.forebay.bench.process.MountedDirectories.Mounting;
import io.forebay.bench.transfer.Cost;
import io.forebay.bench.transfer.Payloads;
import io.forebay.bench.transfer.Transfer;
import io.forebay.client.Cluster;
import io.forebay.client.ForebayUri;
import io.forebay.ring.Instance;
import io.forebay.ring.RingMap;
import io.forebay.ring.SeatEntry;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which hop limits, as section 4.2 of the paper on Intrepid asks:
 *
 * <ol>
 *   <li>the client's own work on bytes: copies and checksums,
 *   <li>the network by transport, length of message, streams and direction; many to one,
 *   <li>a server without storage,
 *   <li>the device of a server by threads and depth, and forced writes,
 *   <li>the backing store by writers,
 *   <li>FUSE alone,
 *   <li>a server with its memory, and with forced writes,
 *   <li>the whole path, next to the ceiling that follows from all of them.
 * </ol>
 */
public final class PathBenchmark implements Benchmark {
  /** In front of a directory: the slow profile, or none. */
  private static final String SLOW = "slow+posix:";

  private static final String POSIX = "posix:";

  private final PathOptions options;

  public PathBenchmark(PathOptions options) {
    this.options = options;
  }

  @Override
  public String name() {
    return "path";
  }

  @Override
  public Outcome run(Options general, Progress progress)
      throws IOException, InterruptedException, BenchmarkImpossible {
    return run(general.quick() ? PathScale.quick() : PathScale.full(), general, progress);
  }

  Outcome run(PathScale scale, Options general, Progress progress)
      throws IOException, InterruptedException, BenchmarkImpossible {
    long memory = LocalRing.memoryBytes(scale, scale.bytes(), options.servers(), options.copies());
    long single = LocalRing.memoryBytes(scale, scale.bytes(), 1, 1);
    long inMemory = Math.max(memory * options.servers(), single) + scale.bytes();
    try (Scratch scratch = new Scratch(general.directory(), 3 * inMemory, inMemory)) {
      PathGround ground =
          new PathGround(
              options, scale, scratch, Payloads.random(general.seed()), general.seed(), progress);
      return new Run(ground).outcome();
    }
  }

  /** One run, with what it has found so far. */
  private final class Run {
    private final PathGround ground;
    private final PathScale scale;
    private final FileHops files;
    private final List<Result> results = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();
    private final WholePath whole = new WholePath();
    private final int cores = Machine.current().cores();

    Run(PathGround ground) {
      this.ground = ground;
      this.scale = ground.scale();
      this.files = new FileHops(scale, options.transferBytes(), options.clients(), ground.seed());
    }

    Outcome outcome() throws IOException, InterruptedException {
      notes.addAll(ground.scratch().notes());
      ground.progress().measuring("client memory and checksums");
      ClientHops.Measured client =
          new ClientHops(scale, options.transferBytes(), ground.source())
              .measure(options.clients());
      show(client.all());
      NetworkPart.Measured network = new NetworkPart(ground).measure();
      show(List.of(network.out(), network.in(), network.nullTakes(), network.nullGives()));
      results.addAll(network.several());
      show(device());
      Path stores = ground.scratch().onDevice("stores");
      String backing = options.backing() == null ? SLOW + stores : options.backing();
      Hop store = backing(backing);
      if (options.uri() != null) running(client, network, options.uri());
      else if (options.helpers().isEmpty()) ring(client, network, store, backing);
      else
        notes.add("the whole path is that of a running ring: name one of its instances by --uri");
      results.addAll(whole.results());
      whole.compare("network", network.out(), network.in());
      notes.addAll(whole.sentences());
      results.addAll(network.curves());
      return new Outcome(results, notes);
    }

    private void show(List<Hop> hops) {
      for (Hop hop : hops) results.add(hop.result());
    }

    private List<Hop> device() throws IOException, InterruptedException {
      Path directory = ground.scratch().onDevice("device");
      try (DeviceHops hops = new DeviceHops(scale, directory, ground.progress())) {
        if (!hops.isDirect()) {
          notes.add(
              "'%s' takes no direct access, so the kernel's cache is part of the device"
                  .formatted(directory));
        }
        return hops.measure();
      }
    }

    /** The backing store with as many writers as serve it best. */
    private Hop backing(String address) throws IOException, InterruptedException {
      try (BackingHops hops = new BackingHops(scale, address, ground.source(), ground.progress())) {
        List<Hop> all = hops.measure();
        show(all);
        Hop best = all.getFirst();
        for (Hop each : all) if (each.mibPerSecond() > best.mibPerSecond()) best = each;
        return best;
      }
    }

    /** A server's memory and its device, then a ring of all servers. */
    private void ring(
        ClientHops.Measured client, NetworkPart.Measured network, Hop store, String backing)
        throws IOException, InterruptedException {
      FileHops.Measured server = server();
      int servers = options.servers();
      int copies = options.copies();
      long memory = LocalRing.memoryBytes(scale, files.bytes(), servers, copies);
      ground.progress().measuring("the whole path");
      Path device = ground.scratch().device();
      Path directory = directoryOf(backing);
      try (LocalRing ring =
          LocalRing.start(scale, servers, memory, device, directory == null ? device : directory)) {
        String uri = ring.make("whole", copies, false);
        FileHops.Measured through =
            files.measure(
                "client, k=%d of %d".formatted(copies, servers), LocalRing.target(uri), ring);
        // Each further copy goes over the network and is verified once more.
        double copyCpu =
            network.nullTakes().cpuSecondsPerGib() + client.checksum().cpuSecondsPerGib();
        whole.add(
            through.write(),
            writeCeiling(client, network, servers, copies)
                .hop(server.write(), servers, copies)
                .cpu(server.write().cpuSecondsPerGib() + (copies - 1) * copyCpu)
                .onOneMachine(cores));
        whole.add(
            through.read(),
            readCeiling(client, network, servers)
                .hop(server.read(), servers, 1)
                .cpu(server.read().cpuSecondsPerGib())
                .onOneMachine(cores));
        whole.compare("ring", through.write(), through.read());
        mounted(uri, ring, through);
        if (directory != null) drained(ring, store, backing, through.read());
        else notes.add("drains are measured to directories only, not to " + backing);
      }
    }

    private FileHops.Measured server() throws IOException, InterruptedException {
      ground.progress().measuring("a server's memory and its device");
      long memory = LocalRing.memoryBytes(scale, files.bytes(), 1, 1);
      Path device = ground.scratch().device();
      try (LocalRing ring = LocalRing.start(scale, 1, memory, device, device)) {
        FileHops.Measured inMemory =
            files.measure(
                "server, memory, k=1", LocalRing.target(ring.make("memory", 1, false)), ring);
        FileHops.Measured forced =
            files.measure(
                "server, SSD, forced", LocalRing.target(ring.make("forced", 1, true)), ring);
        show(inMemory.all());
        show(List.of(forced.write()));
        return inMemory;
      }
    }

    /** A ring that runs already: its servers cannot be measured alone. */
    private void running(ClientHops.Measured client, NetworkPart.Measured network, String uri)
        throws IOException, InterruptedException {
      ground.progress().measuring("the whole path to " + uri);
      RingMap map;
      Instance instance;
      try (Cluster cluster = Cluster.connect(uri)) {
        map = cluster.map();
        String name = ForebayUri.parse(uri).instance();
        instance =
            map.instances().stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow(
                    () -> new IOException("there is no instance '" + name + "' at " + uri));
      }
      int servers =
          (int)
              map.seats().stream()
                  .filter(seat -> seat.stay() != SeatEntry.Stay.LEFT)
                  .map(SeatEntry::server)
                  .distinct()
                  .count();
      int copies = instance.copies();
      FileHops.Measured through =
          files.measure(
              "client, k=%d of %d".formatted(copies, servers),
              LocalRing.target(uri),
              FileHops.UNKNOWN);
      whole.add(through.write(), writeCeiling(client, network, servers, copies));
      whole.add(through.read(), readCeiling(client, network, servers));
      whole.compare("ring", through.write(), through.read());
      notes.add("servers of a running ring are not measured alone, and drains are not");
      mounted(uri, FileHops.UNKNOWN, through);
    }

    private Ceiling writeCeiling(
        ClientHops.Measured client, NetworkPart.Measured network, int servers, int copies) {
      return new Ceiling()
          .hop(client.copy(), 1, 1)
          .hop(client.checksum(), 1, 1)
          .hop(network.out(), servers, copies)
          .hop(network.nullTakes(), servers, copies);
    }

    private Ceiling readCeiling(
        ClientHops.Measured client, NetworkPart.Measured network, int servers) {
      return new Ceiling()
          .hop(client.checksum(), 1, 1)
          .hop(network.in(), servers, 1)
          .hop(network.nullGives(), servers, 1);
    }

    /** FUSE alone, and in front of the ring; without the kernel's cache. */
    private void mounted(String uri, FileHops.Servers ring, FileHops.Measured through)
        throws IOException, InterruptedException {
      String impossible = whyNoMount();
      if (impossible != null) {
        notes.add("FUSE is not measured: " + impossible);
        return;
      }
      Path memory = ground.scratch().inMemory("passed-through");
      try (MountedDirectories mounts =
          MountedDirectories.mount(
              List.of(
                  Mounting.passThrough(memory, Caching.NONE),
                  Mounting.instance(uri, "", Caching.NONE)),
              ground.scratch().onDevice("mounts"))) {
        ground.progress().measuring("FUSE alone");
        FileHops.Measured alone =
            files.measure("FUSE alone", posix(mounts.directories().get(0)), FileHops.UNKNOWN);
        show(alone.all());
        ground.progress().measuring("the whole path through a mount");
        FileHops.Measured mount = files.measure("mount", posix(mounts.directories().get(1)), ring);
        whole.add(mount.write(), new Ceiling().hop(alone.write(), 1, 1).hop(through.write(), 1, 1));
        whole.add(mount.read(), new Ceiling().hop(alone.read(), 1, 1).hop(through.read(), 1, 1));
      }
    }

    private static @Nullable Path directoryOf(String backing) {
      for (String scheme : List.of(SLOW, POSIX)) {
        if (backing.startsWith(scheme)) return Path.of(backing.substring(scheme.length()));
      }
      return null;
    }

    private IorTarget posix(Path directory) {
      return new IorTarget(IorTarget.Api.POSIX, directory.toString(), "path");
    }

    private @Nullable String whyNoMount() {
      try {
        MountedDirectories.requirePossible();
        return null;
      } catch (BenchmarkImpossible none) {
        return none.getMessage();
      }
    }

    private void drained(LocalRing ring, Hop store, String backing, Hop read)
        throws IOException, InterruptedException {
      ground.progress().measuring("drain");
      int clients = options.clients();
      Transfer transfer = scale.transfer(options.transferBytes(), clients);
      List<Rounds.Trial<Cost>> trials =
          List.of(() -> ring.drain(backing, options.copies(), clients, transfer, ground.source()));
      List<List<Cost>> costs = Rounds.run(scale.rounds(), 0, trials);
      whole.add(new Hop("drain", costs.getFirst()), new Ceiling().hop(store, 1, 1).hop(read, 1, 1));
    }
  }
}
