// SPDX-License-Identifier: Apache-2.0

package io.forebay.backing.s3;

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
import io.forebay.backing.contract.PackContract;
import io.forebay.backing.location.BackingLocation;
import io.forebay.testing.TestSeed;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.assertj.core.api.AbstractStringAssert;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;

/** The contract of all stores, kept by a bucket, and a bucket's own kinds of trouble. */
@Timeout(120)
class S3StoreTest {
  private static final BackingPath PATH = BackingPath.of("dir/file");

  private static TestServer server;
  private int attempts;

  @BeforeAll
  static void start() throws Exception {
    server = new TestServer();
  }

  @AfterAll
  static void stop() throws Exception {
    server.stop();
  }

  @TestFactory
  Stream<DynamicTest> contract() {
    return cases(TestServer.BUCKET + "/below/here");
  }

  /** As on stores that know no checksums; and at the top of the bucket. */
  @TestFactory
  Stream<DynamicTest> contractWithoutChecksums() {
    return cases(TestServer.BUCKET + "?checksum=none");
  }

  @Test
  void keepsFilesThatAreStoredTogether() throws Exception {
    try (BackingStore store = server.open(TestServer.BUCKET + "/packs")) {
      new PackContract(store).run();
    }
  }

  private static Stream<DynamicTest> cases(String place) {
    long seed = TestSeed.first("S3StoreTest");
    System.out.println("contract of s3: -Dforebay.seed=" + seed);
    BackingStore store = server.open(place);
    BackingStore other = server.open(place);
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
  void aMissingBucketIsNamed() {
    try (BackingStore store = server.open("nosuchbucket/x")) {
      mustFail(BackingFailure.NoRoot.class, store::check).contains("nosuchbucket", "create it");
      mustFail(BackingFailure.NoRoot.class, () -> store.begin(plan(1)));
      mustFail(BackingFailure.NoRoot.class, () -> store.stat(PATH));
    }
  }

  @Test
  void wrongCredentialsAreToldApart() {
    try (BackingStore store = server.open(TestServer.BUCKET, "wrong")) {
      mustFail(BackingFailure.WrongCredentials.class, store::check)
          .contains("AWS_SECRET_ACCESS_KEY");
      mustFail(BackingFailure.WrongCredentials.class, () -> store.begin(plan(1)))
          .doesNotContain("secret");
    }
  }

  @Test
  void aServerThatIsAwayMayComeBack() throws Exception {
    TestServer gone = new TestServer();
    try (BackingStore store = gone.open(TestServer.BUCKET)) {
      store.check();
      gone.stop();
      mustFail(BackingFailure.Unavailable.class, store::check);
    }
  }

  @Test
  void partsAreNotTooShort() throws Exception {
    try (BackingStore store = server.open(TestServer.BUCKET + "/parts")) {
      long part = store.capabilities().partBytesMin();
      Attempt attempt = store.begin(plan((2 * part) + 1));
      for (long[] wrong : new long[][] {{0, part - 1}, {2 * part, 2}, {0, 0}, {-1, part}}) {
        ByteBuffer bytes = ByteBuffer.allocate((int) wrong[1]);
        assertThatThrownBy(() -> store.write(attempt, wrong[0], List.of(bytes)))
            .isInstanceOf(IllegalArgumentException.class);
      }
      store.abort(attempt);
    }
  }

  @Test
  void partsMayBeLongerThanTheyMust() throws Exception {
    try (BackingStore store = server.open(TestServer.BUCKET + "/longer")) {
      byte[] content = new byte[(17 << 20) + 1];
      new Random(2).nextBytes(content);
      Attempt attempt = store.begin(plan(content.length));
      int part = 8 << 20;
      store.write(attempt, 2L * part, List.of(ByteBuffer.wrap(content, 2 * part, (1 << 20) + 1)));
      store.write(attempt, 0, List.of(ByteBuffer.wrap(content, 0, part)));
      mustFail(BackingFailure.Changed.class, () -> store.commit(attempt, PATH))
          .contains("only 8388608 of 17825793 bytes");
      store.write(attempt, part, List.of(ByteBuffer.wrap(content, part, part)));
      store.commit(attempt, PATH);
      ByteBuffer read = ByteBuffer.allocate(content.length);
      assertThat(store.read(PATH, BackingStore.ANY_VERSION, 0, read)).isEqualTo(content.length);
      assertThat(read.array()).isEqualTo(content);
    }
  }

  @Test
  void aVersionStaysTheSameWhenRenamed() throws Exception {
    try (BackingStore store = server.open(TestServer.BUCKET + "/version")) {
      Attempt attempt = store.begin(plan(3));
      store.write(attempt, 0, List.of(ByteBuffer.wrap(new byte[3])));
      store.commit(attempt, PATH);
      String version = store.stat(PATH).version();
      BackingPath to = BackingPath.of("to");
      store.rename(PATH, to);
      assertThat(store.stat(to).version()).isEqualTo(version);
      assertThat(store.read(to, version, 0, ByteBuffer.allocate(9))).isEqualTo(3);
      try (S3Client client = server.client()) {
        client.putObject(
            put -> put.bucket(TestServer.BUCKET).key("version/to"), RequestBody.fromString("abc"));
      }
      mustFail(
          BackingFailure.Changed.class, () -> store.read(to, version, 0, ByteBuffer.allocate(9)));
      mustFail(BackingFailure.Changed.class, () -> store.delete(to, version));
    }
  }

  @Test
  void aLateCompletionFindsNothing() throws Exception {
    try (BackingStore store = server.open(TestServer.BUCKET + "/late");
        S3Client client = server.client()) {
      Attempt attempt = store.begin(plan(3));
      store.write(attempt, 0, List.of(ByteBuffer.wrap(new byte[3])));
      store.abort(attempt);
      mustFail(BackingFailure.Changed.class, () -> store.commit(attempt, PATH));
      assertThat(
              client
                  .listObjectsV2(list -> list.bucket(TestServer.BUCKET).prefix("late/"))
                  .contents())
          .isEmpty();
    }
  }

  @Test
  void anObjectOfSomebodyElseIsNotTakenForOurs() throws Exception {
    try (BackingStore store = server.open(TestServer.BUCKET + "/theirs");
        S3Client client = server.client()) {
      Attempt attempt = store.begin(plan(3));
      client.putObject(
          put -> put.bucket(TestServer.BUCKET).key("theirs/dir/file"),
          RequestBody.fromString("abc"));
      assertThat(store.look(attempt, PATH)).isEqualTo(Sighting.PENDING);
      store.abort(attempt);
      assertThat(store.look(attempt, PATH)).isEqualTo(Sighting.GONE);
      mustFail(BackingFailure.Changed.class, () -> store.commit(attempt, PATH));
    }
  }

  @Test
  void largeObjectsAreRenamedByParts() throws Exception {
    try (BackingStore store = server.open(TestServer.BUCKET + "/large")) {
      byte[] content = new byte[11 << 20];
      new Random(1).nextBytes(content);
      FileAttributes attributes = new FileAttributes(0600, 1, 2, 3);
      Attempt attempt =
          store.begin(new AttemptPlan(new AttemptId("large"), PATH, content.length, attributes));
      int part = (int) store.capabilities().partBytes(content.length);
      for (int at = 0; at < content.length; at += part) {
        store.write(
            attempt,
            at,
            List.of(ByteBuffer.wrap(content, at, Math.min(part, content.length - at))));
      }
      store.commit(attempt, PATH);
      S3Settings settings =
          S3Settings.of(
              BackingLocation.parse(
                  "s3://%s/large?endpoint=%s".formatted(TestServer.BUCKET, server.endpoint())));
      BackingPath to = BackingPath.of("other");
      try (S3Client client = server.client()) {
        var head = client.headObject(h -> h.bucket(TestServer.BUCKET).key("large/dir/file"));
        new S3Renames(new S3Bucket(settings, server.credentials()), 5 << 20).rename(PATH, to, head);
      }
      ByteBuffer read = ByteBuffer.allocate(content.length);
      assertThat(store.read(to, BackingStore.ANY_VERSION, 0, read)).isEqualTo(content.length);
      assertThat(read.array()).isEqualTo(content);
      assertThat(store.stat(to).attributes()).isEqualTo(attributes);
      mustFail(BackingFailure.NotFound.class, () -> store.stat(PATH));
    }
  }

  @Test
  void directoriesCannotBeRenamed() throws Exception {
    try (BackingStore store = server.open(TestServer.BUCKET + "/directories")) {
      store.makeDirectory(BackingPath.of("a"), FileAttributes.NONE);
      mustFail(
          BackingFailure.Unsupported.class,
          () -> store.rename(BackingPath.of("a"), BackingPath.of("b")));
    }
  }

  @Test
  void theProviderIsFoundByScheme() {
    BackingStores stores = new BackingStores(null);
    assertThat(stores.open("s3://bucket/dir/?region=eu-central-1").description())
        .isEqualTo("S3 bucket bucket/dir/");
    assertThat(stores.open("slow+s3://bucket?endpoint=http://host:9000").description())
        .startsWith("S3 bucket bucket/ at http://host:9000 (slow profile");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "s3:bucket | names no bucket",
        "s3:// | names no bucket",
        "s3://key:secret@bucket/x | holds no credentials",
        "s3://b?part=1MiB | S3 takes parts of 5 MiB to 5 GiB",
        "s3://b?endpoint=host:9000 | is not an endpoint",
        "s3://b?checksum=md5 | is none of",
        "s3://b?secret=x | 'secret' is not a setting",
      })
  void wrongAddressesAreExplained(String address, String words) {
    assertThatThrownBy(() -> S3Settings.of(BackingLocation.parse(address)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(words);
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
