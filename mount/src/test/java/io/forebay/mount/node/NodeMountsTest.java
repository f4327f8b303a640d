// SPDX-License-Identifier: Apache-2.0

package io.forebay.mount.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.forebay.base.MonotonicClock;
import io.forebay.client.ForebayOptions;
import io.forebay.client.ForebayUri;
import io.forebay.mount.ForebayMount;
import io.forebay.mount.MountOptions;
import io.forebay.mount.fuse.FuseSession;
import io.forebay.mount.fuse.Mounts;
import io.forebay.server.EmbeddedCluster;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class NodeMountsTest {
  private static final long PAUSE_MILLIS = 20;

  @TempDir Path directory;

  private final Map<Path, ForebayMount> served = new ConcurrentHashMap<>();
  private EmbeddedCluster cluster;
  private NodeMounts mounts;

  @BeforeEach
  void start() throws Exception {
    boolean available = true;
    try {
      FuseSession.check();
    } catch (IOException e) {
      available = false;
    }
    assumeTrue(available, "no FUSE here");
    cluster =
        EmbeddedCluster.builder()
            .servers(1)
            .copies(1)
            .segmentBytes(1 << 20)
            .budget(16 << 20, 16 << 20)
            .start();
    mounts = keeper();
  }

  @AfterEach
  void end() {
    served.values().forEach(ForebayMount::end);
    if (cluster != null) cluster.close();
  }

  /** Mounts are served by this process, so that the test sees what becomes of them. */
  private NodeMounts keeper() {
    return new NodeMounts(directory, new OwnMounts(), MonotonicClock.system());
  }

  private final class OwnMounts implements MountPrograms {
    @Override
    public void mount(WantedMount wanted) throws IOException {
      served.put(
          wanted.directory(),
          ForebayMount.mount(
              wanted.source(),
              wanted.directory(),
              new MountOptions().addAll(wanted.options()).settings(),
              ForebayOptions.defaults()));
    }

    @Override
    public void unmount(Path place, boolean lazy) throws IOException {
      int errno = lazy ? Mounts.detach(place) : Mounts.unmount(place);
      if (errno != 0) throw new IOException("error " + errno + " of '" + place + "'");
      ForebayMount mount = served.remove(place);
      if (mount != null) mount.end();
    }
  }

  private WantedMount wanted(String name) {
    return new WantedMount(cluster.uri(), directory.resolve(name), "");
  }

  private List<MountStanding> keepUntil(
      NodeMounts keeper, List<WantedMount> wanted, Predicate<List<MountStanding>> ends)
      throws Exception {
    while (true) {
      List<MountStanding> standings = keeper.keep(wanted);
      if (ends.test(standings)) return standings;
      Thread.sleep(PAUSE_MILLIS);
    }
  }

  /**
   * The kernel shows a mount a moment before the call that makes it returns. A test that ended in
   * that moment would not end the mount, and would then wait for it when it removes its directory.
   */
  private Predicate<List<MountStanding>> mounted(int count) {
    return standings ->
        standings.size() == count
            && standings.stream().allMatch(each -> each.state() == MountStanding.State.MOUNTED)
            && standings.stream().allMatch(each -> served.containsKey(each.directory()));
  }

  @Test
  void whatIsWantedIsMountedAndWhatIsNotGoesWithItsDirectories() throws Exception {
    List<WantedMount> both = List.of(wanted("7/striped"), wanted("8/striped"));
    keepUntil(mounts, both, mounted(2));
    Files.writeString(directory.resolve("7/striped/file"), "text");
    assertThat(directory.resolve("8/striped/file")).hasContent("text");
    keepUntil(mounts, List.of(wanted("8/striped")), mounted(1));
    assertThat(directory.resolve("7")).doesNotExist();
    assertThat(directory.resolve("8/striped/file")).hasContent("text");
    keepUntil(mounts, List.of(), List::isEmpty);
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void usersChangeNothingAboveAMountWhateverTheUmask() throws Throwable {
    int before = umask(0);
    try {
      keepUntil(mounts, List.of(wanted("7/striped")), mounted(1));
    } finally {
      umask(before);
    }
    assertThat(Files.getAttribute(directory.resolve("7"), "unix:mode")).isEqualTo(0040755);
  }

  /** Sets the umask of this process, and returns the one before. */
  @SuppressWarnings("restricted")
  private static int umask(int mask) throws Throwable {
    Linker linker = Linker.nativeLinker();
    MethodHandle call =
        linker.downcallHandle(
            linker.defaultLookup().findOrThrow("umask"),
            FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));
    return (int) call.invokeExact(mask);
  }

  @Test
  void aPathIsInTheMountOnTheLongestDirectory() throws Exception {
    keepUntil(mounts, List.of(wanted("7/striped"), wanted("8")), mounted(2));
    Path root = directory.toRealPath();
    Mounts.Mount inner = Mounts.holding(root.resolve("7/striped/not/there")).orElseThrow();
    assertThat(inner.directory()).isEqualTo(root.resolve("7/striped"));
    assertThat(inner.type()).isEqualTo("fuse.forebay");
    assertThat(ForebayUri.parse(inner.source())).isEqualTo(ForebayUri.parse(cluster.uri()));
    assertThat(Mounts.holding(root.resolve("8")).orElseThrow().directory())
        .isEqualTo(root.resolve("8"));
    assertThat(Mounts.holding(root.resolve("7")).orElseThrow().type()).isNotEqualTo("fuse.forebay");
    keepUntil(mounts, List.of(), List::isEmpty);
  }

  @Test
  void mountsOfAnEarlierProcessAreKeptAsTheyAre() throws Exception {
    List<WantedMount> one = List.of(wanted("7/striped"));
    keepUntil(mounts, one, mounted(1));
    ForebayMount before = served.get(directory.toRealPath().resolve("7/striped"));
    mounts.close();
    try (NodeMounts later = keeper()) {
      assertThat(mounted(1).test(later.keep(one))).isTrue();
      assertThat(served.values()).containsExactly(before);
      keepUntil(later, List.of(), List::isEmpty);
    }
  }

  @Test
  void aMountThatProgramsUseStaysForAWhile() throws Exception {
    keepUntil(mounts, List.of(wanted("7/striped")), mounted(1));
    Path file = Files.writeString(directory.resolve("7/striped/file"), "text");
    try (InputStream open = Files.newInputStream(file)) {
      List<MountStanding> standings =
          keepUntil(mounts, List.of(), now -> !now.getFirst().why().isEmpty());
      assertThat(standings.getFirst().state()).isEqualTo(MountStanding.State.GOING);
      assertThat(open.read()).isEqualTo('t');
    }
    keepUntil(mounts, List.of(), List::isEmpty);
  }

  @Test
  void aFailureIsToldAndTriedAgain() throws Exception {
    WantedMount unknown =
        new WantedMount(cluster.uri("unknown"), directory.resolve("7/striped"), "");
    List<MountStanding> standings =
        keepUntil(mounts, List.of(unknown), now -> !now.getFirst().why().isEmpty());
    assertThat(standings.getFirst().state()).isEqualTo(MountStanding.State.COMING);
    assertThat(standings.getFirst().why()).contains("unknown");
    assertThat(directory.resolve("7")).doesNotExist();
    keepUntil(mounts, List.of(wanted("7/striped")), mounted(1));
  }

  @Test
  void nothingIsMountedElsewhere() {
    WantedMount outside = new WantedMount(cluster.uri(), directory.resolve("../other"), "");
    assertThatThrownBy(() -> mounts.keep(List.of(outside)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("not below");
  }
}
