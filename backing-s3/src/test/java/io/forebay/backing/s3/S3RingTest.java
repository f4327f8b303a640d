// SPDX-License-Identifier: Apache-2.0

package io.forebay.backing.s3;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.backing.location.BackingRoots;
import io.forebay.client.Cluster;
import io.forebay.client.Forebay;
import io.forebay.client.ForebayFile;
import io.forebay.client.InstanceOptions;
import io.forebay.client.durability.Ledger;
import io.forebay.ring.DrainSpec;
import io.forebay.server.EmbeddedCluster;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import software.amazon.awssdk.services.s3.S3Client;

/** Files on their way through a real ring into a bucket, and back. */
@Timeout(120)
class S3RingTest {
  private static final int MIB = 1 << 20;
  private static final int FILES = 5;
  private static final int FILE_BYTES = 6 * MIB + 12_345;
  private static final long LOOK_MILLIS = 20;
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private static TestServer store;

  @BeforeAll
  static void start() throws Exception {
    store = new TestServer();
    store.credentialsForThisProcess(true);
  }

  @AfterAll
  static void stop() throws Exception {
    store.credentialsForThisProcess(false);
    store.stop();
  }

  private static String address(String place) {
    return "s3://%s?endpoint=%s&part=5MiB".formatted(place, store.endpoint());
  }

  private static byte[] stored(String key) {
    try (S3Client owner = store.client()) {
      return owner
          .getObjectAsBytes(request -> request.bucket(TestServer.BUCKET).key(key))
          .asByteArray();
    }
  }

  @Test
  void allIsStoredThoughAServerStopsAndIsReadThroughWhenTheBufferHasLetItGo() throws Exception {
    try (EmbeddedCluster ring = ring();
        Forebay client = client(ring, address(TestServer.BUCKET + "/run"))) {
      for (int i = 0; i < FILES; i++) write(client, "/file-" + i, content(i));
      await(() -> client.ledger().entries().stream().anyMatch(S3RingTest::isDurable));
      ring.stop(1);
      client.awaitDurable("/", PATIENCE);
      for (int i = 0; i < FILES; i++) {
        byte[] found = stored("run/file-" + i);
        assertThat(Arrays.equals(found, content(i))).as("file %d in the store", i).isTrue();
      }
      await(() -> client.ledger().entries().stream().allMatch(Ledger.Entry::backed));
      for (int i = 0; i < FILES; i++) {
        byte[] read = read(client, "/file-" + i);
        assertThat(Arrays.equals(read, content(i))).as("file %d read through", i).isTrue();
      }
    }
  }

  @Test
  void aMissingBucketIsToldAndDrainedToWhenItIsThere() throws Exception {
    try (EmbeddedCluster ring = ring();
        Forebay client = client(ring, address("missing"))) {
      write(client, "/file", content(0));
      await(() -> client.ledger().trouble().contains("missing"));
      assertThat(client.ledger().trouble()).contains("create it");
      try (S3Client owner = store.client()) {
        owner.createBucket(request -> request.bucket("missing"));
      }
      client.drain("/file");
      client.awaitDurable("/file", PATIENCE);
      assertThat(client.ledger().trouble()).isEmpty();
    }
  }

  private static boolean isDurable(Ledger.Entry entry) {
    return entry.state() == Ledger.State.DURABLE;
  }

  private static EmbeddedCluster ring() throws Exception {
    return EmbeddedCluster.builder()
        .servers(3)
        .segmentBytes(4 * MIB)
        .budget(64L * MIB, 64L * MIB)
        .backingRoots(BackingRoots.of(List.of(address(TestServer.BUCKET), address("missing"))))
        .withoutInstance()
        .start();
  }

  /** Of an instance whose files leave the buffer as soon as the store has them. */
  private static Forebay client(EmbeddedCluster ring, String address) throws IOException {
    try (Cluster admin = Cluster.connect(ring.uri())) {
      DrainSpec drain = new DrainSpec(address, "close").keeping("rest=drop");
      admin.createInstance("drained", InstanceOptions.defaults().withDrain(drain));
    }
    return Forebay.connect(ring.uri("drained"));
  }

  private static byte[] content(int file) {
    byte[] content = new byte[FILE_BYTES];
    new Random(file).nextBytes(content);
    return content;
  }

  private static void write(Forebay client, String path, byte[] content) throws IOException {
    try (ForebayFile file = client.open(path, WRITE, CREATE)) {
      for (int at = 0; at < content.length; at += MIB) {
        file.write(ByteBuffer.wrap(content, at, Math.min(MIB, content.length - at)), at);
      }
    }
  }

  private static byte[] read(Forebay client, String path) throws IOException {
    try (ForebayFile file = client.open(path, READ)) {
      ByteBuffer into = ByteBuffer.allocate((int) file.size());
      while (into.hasRemaining() && file.read(into, into.position()) > 0) {}
      return into.array();
    }
  }

  /** Waits for what happens by itself; the time limit of the test ends a wait that is in vain. */
  private static void await(Callable<Boolean> condition) throws Exception {
    while (!condition.call()) Thread.sleep(LOOK_MILLIS);
  }
}
