// SPDX-License-Identifier: Apache-2.0

package io.forebay.mount;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.forebay.client.Forebay;
import io.forebay.mount.fuse.operation.AttributeSetting;
import io.forebay.mount.fuse.operation.Caller;
import io.forebay.mount.fuse.operation.Errno;
import io.forebay.mount.fuse.operation.FuseOperations;
import io.forebay.mount.fuse.operation.NodeAttributes;
import io.forebay.mount.fuse.operation.Space;
import io.forebay.server.EmbeddedCluster;
import io.forebay.server.StartFailed;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Requests as a kernel sends them, in the order that a test wants; there is no mount. */
@Timeout(60)
class InstanceOperationsTest {
  private static final Caller ROOT = new Caller(0, 0, -1);
  private static final Caller SOMEBODY = new Caller(7, 8, -2);
  private static final int SERVERS = 2;
  private static final long SERVER_BYTES = 96L << 20;
  private static final int WRITE_ONLY = 1;

  private static EmbeddedCluster cluster;
  private static Forebay client;
  private static int tests;

  private final InstanceOperations operations = operations(CacheMode.AUTO);
  private long directory;

  @BeforeAll
  static void start() throws IOException, StartFailed {
    cluster =
        EmbeddedCluster.builder()
            .servers(SERVERS)
            .copies(2)
            .segmentBytes(4 << 20)
            .budget(SERVER_BYTES, SERVER_BYTES)
            .start();
    client = Forebay.connect(cluster.uri());
  }

  @AfterAll
  static void end() throws IOException {
    if (client != null) client.close();
    if (cluster != null) cluster.close();
  }

  private static InstanceOperations operations(CacheMode cache) {
    try {
      return new InstanceOperations(
          new KernelRights(client.nodes(), client.options().identity()),
          client.nodes().root(),
          MountSettings.defaults().withCache(cache),
          new Presence(
              client.nodes()::usage, client::silence, Duration.ofSeconds(30), "the cluster"),
          null);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  @BeforeEach
  void makeDirectory() throws IOException {
    directory =
        operations
            .makeDirectory(ROOT, FuseOperations.ROOT, "test-" + ++tests, 0777)
            .attributes()
            .node();
  }

  private long makeFile(String name, int mode) throws IOException {
    return operations
        .makeNode(ROOT, directory, name, NodeAttributes.FILE | mode, 0)
        .attributes()
        .node();
  }

  private void replace(String name) throws IOException {
    makeFile("new", 0644);
    operations.rename(ROOT, directory, "new", directory, name, 0);
  }

  private int errno(ThrowingCallable call) {
    Throwable failure = catchThrowable(call);
    return failure == null ? 0 : operations.errnoOf(failure);
  }

  /** Waits until a file that has lost its name is gone. */
  private void awaitGone(long node) throws IOException {
    while (errno(() -> operations.attributes(SOMEBODY, node, 0)) != Errno.ESTALE) {
      Thread.onSpinWait();
    }
    assertThat(operations.lookup(ROOT, directory, "f").attributes().node()).isNotEqualTo(node);
  }

  private static AttributeSetting mode(int bits) {
    return new AttributeSetting(NodeAttributes.FILE | bits, null, null, null, null, null);
  }

  private static AttributeSetting size(@Nullable Integer mode, long bytes) {
    return new AttributeSetting(mode, null, null, bytes, null, null);
  }

  @Test
  void aFileThatIsReplacedTwiceIsOpenedAtTheKernelsSecondTry() throws IOException {
    makeFile("f", 0644);
    Caller reader = new Caller(0, 0, -3);
    long first = operations.lookup(reader, directory, "f").attributes().node();
    replace("f");
    awaitGone(first);
    assertThat(errno(() -> operations.open(reader, first, 0))).isEqualTo(Errno.ESTALE);
    long second = operations.lookup(reader, directory, "f").attributes().node();
    Caller other = new Caller(0, 0, -4);
    long seen = operations.lookup(other, directory, "f").attributes().node();
    assertThat(seen).isEqualTo(second);
    replace("f");
    // The time in which a file without a name that nobody holds goes.
    long third = operations.lookup(other, directory, "f").attributes().node();
    replace("f");
    awaitGone(third);
    assertThat(operations.attributes(reader, second, 0).links()).isZero();
    long handle = operations.open(reader, second, 0).handle();
    operations.release(second, handle);
  }

  @Test
  void rightsThatAFileLendsGoWhenSomebodyElseWritesIt() throws IOException {
    long node = makeFile("f", 0);
    operations.setAttributes(ROOT, node, 0, mode(06777));
    assertThat(operations.setAttributes(SOMEBODY, node, 0, mode(0777)).mode() & 07777)
        .isEqualTo(0777);
    operations.setAttributes(ROOT, node, 0, mode(04666));
    int kernels = NodeAttributes.FILE | 0666;
    NodeAttributes cut = operations.setAttributes(SOMEBODY, node, 0, size(kernels, 10));
    assertThat(cut.mode() & 07777).isEqualTo(0666);
    assertThat(cut.sizeBytes()).isEqualTo(10);
    operations.setAttributes(ROOT, node, 0, mode(04666));
    long handle = operations.open(SOMEBODY, node, WRITE_ONLY).handle();
    operations.setAttributes(ROOT, node, 0, mode(04600));
    // Opened in time, it is still written.
    operations.setAttributes(SOMEBODY, node, 0, mode(0600));
    assertThat(operations.attributes(ROOT, node, 0).mode() & 07777).isEqualTo(0600);
    operations.release(node, handle);
  }

  @Test
  void noOtherModeIsSetBySomebodyElse() throws IOException {
    long node = makeFile("f", 0);
    operations.setAttributes(ROOT, node, 0, mode(04766));
    for (int bits : new int[] {0666, 04777, 0667}) {
      assertThat(errno(() -> operations.setAttributes(SOMEBODY, node, 0, mode(bits))))
          .as("mode %o", bits)
          .isEqualTo(Errno.EPERM);
    }
    operations.setAttributes(ROOT, node, 0, mode(04700));
    assertThat(errno(() -> operations.setAttributes(SOMEBODY, node, 0, mode(0700))))
        .as("who may not write")
        .isEqualTo(Errno.EACCES);
    assertThat(operations.attributes(ROOT, node, 0).mode() & 07777).isEqualTo(04700);
  }

  @Test
  void whoMayWriteTouchesAFileAlsoIfTheKernelSendsItsOwnTime() throws IOException {
    InstanceOperations writeback = operations(CacheMode.WRITEBACK);
    long node = makeFile("f", 0);
    operations.setAttributes(ROOT, node, 0, mode(0666));
    AttributeSetting.Time kernels = new AttributeSetting.Time(Instant.now());
    AttributeSetting touch =
        new AttributeSetting(null, null, null, null, AttributeSetting.Time.NOW, kernels);
    Instant before = writeback.attributes(ROOT, node, 0).modifyTime();
    assertThat(writeback.setAttributes(SOMEBODY, node, 0, touch).modifyTime()).isAfter(before);
    assertThat(errno(() -> operations.setAttributes(SOMEBODY, node, 0, touch)))
        .as("where it is the program that sends a time")
        .isEqualTo(Errno.EPERM);
    operations.setAttributes(ROOT, node, 0, mode(0644));
    assertThat(errno(() -> writeback.setAttributes(SOMEBODY, node, 0, touch)))
        .isIn(Errno.EACCES, Errno.EPERM);
  }

  @Test
  void aSpecialFileThatIsOpenHasAttributesWithoutItsName() throws IOException {
    long node =
        operations
            .makeNode(SOMEBODY, directory, "p", NodeAttributes.FIFO | 0640, 5)
            .attributes()
            .node();
    operations.unlink(SOMEBODY, directory, "p");
    NodeAttributes left = operations.attributes(SOMEBODY, node, 0);
    assertThat(left.links()).isZero();
    assertThat(left.mode()).isEqualTo(NodeAttributes.FIFO | 0640);
    operations.forget(node);
    assertThat(errno(() -> operations.attributes(SOMEBODY, node, 0))).isEqualTo(Errno.ESTALE);
  }

  @Test
  void devicesAreRootsToMake() throws IOException {
    int kind = NodeAttributes.CHARACTER_DEVICE;
    assertThat(errno(() -> operations.makeNode(SOMEBODY, directory, "c", kind | 0666, 0x103)))
        .isEqualTo(Errno.EPERM);
    NodeAttributes made =
        operations.makeNode(ROOT, directory, "c", kind | 0666, 0x103).attributes();
    assertThat(made.device()).isEqualTo(0x103);
    assertThat(operations.lookup(ROOT, directory, "c").attributes().mode()).isEqualTo(kind | 0666);
    assertThatThrownBy(() -> operations.makeNode(ROOT, directory, "d", 0040755, 0))
        .isInstanceOf(IOException.class);
  }

  @Test
  void anInstanceWithoutACapacityHasWhatTheRingHas() throws IOException {
    Space space = operations.space(ROOT);
    long total = space.blocks() * space.blockBytes();
    long free = space.freeBlocks() * space.blockBytes();
    // Two copies of everything: half of what memory and disk of both servers hold.
    assertThat(total).isEqualTo(SERVERS * 2 * SERVER_BYTES / 2);
    assertThat(free).isPositive().isLessThanOrEqualTo(total);
  }
}
