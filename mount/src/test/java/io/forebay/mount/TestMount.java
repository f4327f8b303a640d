// SPDX-License-Identifier: Apache-2.0

package io.forebay.mount;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.forebay.client.ForebayOptions;
import io.forebay.mount.fuse.FuseSession;
import io.forebay.mount.fuse.library.FuseUnavailable;
import io.forebay.ring.PlacementSpec;
import io.forebay.server.EmbeddedCluster;
import io.forebay.server.StartFailed;
import io.forebay.server.ring.LocalRing;
import io.forebay.server.ring.RingShape;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.stream.Stream;

/**
 * A ring of three servers with two copies of everything, mounted by this process; or, with {@code
 * -Dforebay.mount.directory=}, a new directory in any other file system. One thread uses it, and
 * another may kill servers.
 */
public final class TestMount implements AutoCloseable {
  public static final int SERVERS = 3;
  public static final String DEFAULT_CACHE = MountSettings.defaults().cache().text();

  private static final int COPIES = 2;
  private static final int SEGMENT_BYTES = 4 << 20;
  private static final long SERVER_BYTES = 48L * SEGMENT_BYTES;

  /** Longer than a killed server takes to come back on a machine with much to do. */
  private static final Duration TIMEOUT = Duration.ofSeconds(90);

  /** What keeps the files. */
  private interface Ring {
    String uri();

    void kill(int server);

    void restart(int server) throws IOException, StartFailed;

    void close();
  }

  private final Path scratch;
  private final Ring ring;
  private final MountSettings settings;
  private ForebayMount mount;

  private TestMount(Path scratch, Ring ring, String cache) throws IOException {
    this.scratch = scratch;
    this.ring = ring;
    this.settings = MountSettings.defaults().withCache(CacheMode.parse(cache)).withTimeout(TIMEOUT);
    if (ring != null) mount();
  }

  /** Of a cluster in this process. */
  public static TestMount embedded(String cache) throws IOException, StartFailed {
    TestMount elsewhere = elsewhere(cache);
    if (elsewhere != null) return elsewhere;
    EmbeddedCluster cluster =
        EmbeddedCluster.builder()
            .servers(SERVERS)
            .copies(COPIES)
            .budget(SERVER_BYTES, SERVER_BYTES)
            .start();
    return begun(new EmbeddedRing(cluster), cache);
  }

  /** Of servers that are processes of their own and can be killed. */
  public static TestMount processes(String cache) throws IOException, StartFailed {
    TestMount elsewhere = elsewhere(cache);
    if (elsewhere != null) return elsewhere;
    Path files = Files.createTempDirectory("forebay-mount-ring-");
    PlacementSpec placement =
        new PlacementSpec(PlacementSpec.Kind.KETAMA, PlacementSpec.STRIPE_BYTES_DEFAULT, 0);
    LocalRing local =
        new LocalRing(
            new RingShape(SERVERS, COPIES, SEGMENT_BYTES, SERVER_BYTES, SERVER_BYTES, placement),
            files.resolve("ring"),
            Files.createDirectory(files.resolve("memory")));
    ProcessRing ring = new ProcessRing(local, files);
    try {
      local.start();
    } catch (IOException | StartFailed e) {
      ring.close();
      throw e;
    }
    return begun(ring, cache);
  }

  private static TestMount elsewhere(String cache) throws IOException {
    String directory = System.getProperty("forebay.mount.directory");
    if (directory == null) {
      try {
        FuseSession.check();
      } catch (FuseUnavailable none) {
        assumeTrue(false, none.getMessage() + " (dev/optional-packages)");
      }
      return null;
    }
    return new TestMount(Files.createTempDirectory(Path.of(directory), "test-"), null, cache);
  }

  private static TestMount begun(Ring ring, String cache) throws IOException {
    try {
      return new TestMount(Files.createTempDirectory("forebay-mount-"), ring, cache);
    } catch (IOException | RuntimeException e) {
      ring.close();
      throw e;
    }
  }

  private void mount() throws IOException {
    mount = ForebayMount.mount(ring.uri(), scratch, settings, ForebayOptions.defaults());
  }

  public Path directory() {
    return scratch;
  }

  /** Unmounts and mounts again. */
  public void remount() throws IOException {
    if (ring == null) return;
    if (!mount.end()) throw new AssertionError("the mount has not ended in order");
    mount();
  }

  /** Kills a server with SIGKILL; they count from 0. */
  public void killServer(int server) {
    if (ring != null) ring.kill(server);
  }

  /** Starts a server that was killed, and waits until all serve. */
  public void restartServer(int server) throws IOException, StartFailed {
    if (ring != null) ring.restart(server);
  }

  @Override
  public void close() throws IOException {
    try {
      if (mount != null) mount.close();
    } finally {
      if (ring != null) ring.close();
    }
    delete(scratch);
  }

  private static void delete(Path directory) throws IOException {
    try (Stream<Path> all = Files.walk(directory)) {
      for (Path path : all.sorted(Comparator.reverseOrder()).toList()) Files.delete(path);
    }
  }

  private record EmbeddedRing(EmbeddedCluster cluster) implements Ring {
    @Override
    public String uri() {
      return cluster.uri();
    }

    @Override
    public void kill(int server) {
      cluster.stop(server);
    }

    @Override
    public void restart(int server) throws IOException, StartFailed {
      cluster.start(server);
    }

    @Override
    public void close() {
      cluster.close();
    }
  }

  private record ProcessRing(LocalRing local, Path files) implements Ring {
    @Override
    public String uri() {
      return local.uri();
    }

    @Override
    public void kill(int server) {
      local.kill(LocalRing.name(server));
    }

    @Override
    public void restart(int server) throws IOException, StartFailed {
      local.restart(LocalRing.name(server));
    }

    @Override
    public void close() {
      local.close();
      try {
        delete(files);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
