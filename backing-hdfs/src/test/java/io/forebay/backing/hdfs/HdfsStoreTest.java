// SPDX-License-Identifier: Apache-2.0

package io.forebay.backing.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.forebay.backing.Attempt;
import io.forebay.backing.AttemptId;
import io.forebay.backing.AttemptPlan;
import io.forebay.backing.BackingException;
import io.forebay.backing.BackingFailure;
import io.forebay.backing.BackingPath;
import io.forebay.backing.BackingStore;
import io.forebay.backing.BackingStores;
import io.forebay.backing.FileAttributes;
import io.forebay.backing.Sighting;
import io.forebay.backing.contract.BackingContract;
import io.forebay.backing.location.BackingLocation;
import io.forebay.testing.TestSeed;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.assertj.core.api.AbstractStringAssert;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The contract of all stores, kept by HDFS, and its own kinds of trouble. */
@Timeout(120)
class HdfsStoreTest {
  private static final BackingPath PATH = BackingPath.of("dir/file");

  @TempDir static Path directory;
  private static MiniDFSCluster cluster;
  private static DistributedFileSystem files;
  private int attempts;

  @BeforeAll
  static void start() throws IOException {
    Configuration configuration = new Configuration();
    configuration.set(MiniDFSCluster.HDFS_MINIDFS_BASEDIR, directory.toString());
    cluster = new MiniDFSCluster.Builder(configuration).numDataNodes(1).build();
    files = cluster.getFileSystem();
    files.mkdirs(new org.apache.hadoop.fs.Path("/backing"));
  }

  @AfterAll
  static void stop() throws IOException {
    files.close();
    cluster.shutdown();
  }

  @TestFactory
  Stream<DynamicTest> contract() {
    long seed = TestSeed.first("HdfsStoreTest");
    System.out.println("contract of hdfs: -Dforebay.seed=" + seed);
    BackingStore store = open("/backing/");
    BackingStore other = open("/backing");
    return new BackingContract(store, other, BackingPath.of("contract"), new SplittableRandom(seed))
        .cases().stream()
            .map(each -> DynamicTest.dynamicTest(each.name(), each.check()::run))
            .onClose(
                () -> {
                  store.close();
                  other.close();
                });
  }

  @Test
  void aMissingRootIsNamedAndNotMade() {
    try (BackingStore store = open("/missing")) {
      mustFail(BackingFailure.NoRoot.class, store::check).contains("/missing", "make it");
      mustFail(BackingFailure.NoRoot.class, () -> store.begin(plan(1)));
      mustFail(BackingFailure.NoRoot.class, () -> store.stat(PATH));
      mustFail(BackingFailure.NoRoot.class, () -> store.makeDirectory(PATH, FileAttributes.NONE));
    }
  }

  @Test
  void aDirectoryOfSomebodyElseIsNotWrittenTo() throws Exception {
    org.apache.hadoop.fs.Path place = new org.apache.hadoop.fs.Path("/private");
    files.mkdirs(place);
    files.setPermission(place, new FsPermission((short) 0755));
    try (BackingStore store = open("/private?user=somebody")) {
      mustFail(BackingFailure.NoPermission.class, () -> store.begin(plan(1)))
          .contains("somebody", "user=");
    }
  }

  @Test
  void aNameNodeThatIsAwayMayComeBack() throws Exception {
    int port;
    try (ServerSocket free = new ServerSocket(0)) {
      port = free.getLocalPort();
    }
    try (BackingStore store = open("localhost:" + port, "/backing")) {
      mustFail(BackingFailure.Unavailable.class, store::check);
    }
  }

  @Test
  void anotherWriterGoesOnWhereOneDied() throws Exception {
    byte[] content = new byte[300_000];
    new Random(1).nextBytes(content);
    try (BackingStore dead = open("/backing");
        BackingStore next = open("/backing")) {
      Attempt attempt = dead.begin(plan(content.length));
      dead.write(attempt, 0, List.of(ByteBuffer.wrap(content, 0, 100_000)));
      next.write(attempt, 0, List.of(ByteBuffer.wrap(content, 0, 200_000)));
      next.write(attempt, 100_000, List.of(ByteBuffer.wrap(content, 100_000, 100_000)));
      next.write(attempt, 200_000, List.of(ByteBuffer.wrap(content, 200_000, 100_000)));
      // Only now the first one wakes up.
      assertThatThrownBy(
              () -> {
                dead.write(attempt, 100_000, List.of(ByteBuffer.wrap(content, 100_000, 200_000)));
                dead.force(attempt);
              })
          .isInstanceOf(BackingException.class);
      mustFail(BackingFailure.Changed.class, () -> dead.force(attempt));
      next.force(attempt);
      next.commit(attempt, PATH);
      ByteBuffer read = ByteBuffer.allocate(content.length);
      assertThat(next.read(PATH, BackingStore.ANY_VERSION, 0, read)).isEqualTo(content.length);
      assertThat(read.array()).isEqualTo(content);
    }
  }

  @Test
  void bytesComeInOrder() throws Exception {
    try (BackingStore store = open("/backing")) {
      Attempt attempt = store.begin(plan(10));
      mustFail(
          BackingFailure.Changed.class,
          () -> store.write(attempt, 5, List.of(ByteBuffer.wrap(new byte[5]))));
      store.abort(attempt);
      assertThat(store.look(attempt, PATH)).isEqualTo(Sighting.GONE);
    }
  }

  @Test
  void namesThatHdfsDoesNotTakeAreRefused() {
    try (BackingStore store = open("/backing")) {
      AttemptPlan plan =
          new AttemptPlan(new AttemptId("colon"), BackingPath.of("a:b/c"), 1, FileAttributes.NONE);
      mustFail(BackingFailure.Unsupported.class, () -> store.begin(plan)).contains("rename it");
    }
  }

  @Test
  void theProviderIsFoundByScheme() {
    BackingStores stores = new BackingStores(null);
    assertThat(stores.open("hdfs://nodes/dir/?replication=2").description())
        .isEqualTo("HDFS directory hdfs://nodes/dir");
    assertThat(stores.open("hdfs://host:8020").description())
        .isEqualTo("HDFS directory hdfs://host:8020/");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "hdfs:/dir | names no name node",
        "hdfs:///dir | names no name node",
        "hdfs://host:1/x?replication=0 | is not a number from 1",
        "hdfs://host:1/x?copies=3 | 'copies' is not a setting",
        "hdfs://ho st/x | is not an address",
      })
  void wrongAddressesAreExplained(String address, String words) {
    assertThatThrownBy(() -> HdfsSettings.of(BackingLocation.parse(address)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(words);
  }

  private static BackingStore open(String place) {
    return open("localhost:" + cluster.getNameNodePort(), place);
  }

  private static BackingStore open(String nameNode, String place) {
    return new HdfsStore(
        HdfsSettings.of(
            BackingLocation.parse(
                "hdfs://%s%s%sreplication=1"
                    .formatted(nameNode, place, place.contains("?") ? "&" : "?"))));
  }

  private AttemptPlan plan(long bytes) {
    return new AttemptPlan(new AttemptId("t." + attempts++), PATH, bytes, FileAttributes.NONE);
  }

  private static AbstractStringAssert<?> mustFail(
      Class<? extends BackingFailure> kind, ThrowingCallable call) {
    BackingException[] thrown = new BackingException[1];
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(BackingException.class, failed -> thrown[0] = failed);
    assertThat(thrown[0].failure()).as(thrown[0].getMessage()).isInstanceOf(kind);
    return assertThat(thrown[0].failure().sentence());
  }
}
