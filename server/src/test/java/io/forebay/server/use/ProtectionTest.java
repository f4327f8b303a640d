// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.use;

import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.forebay.client.Cluster;
import io.forebay.client.Forebay;
import io.forebay.client.ForebayFile;
import io.forebay.client.InstanceOptions;
import io.forebay.client.failure.Failures;
import io.forebay.server.EmbeddedCluster;
import io.forebay.server.Eventually;
import io.forebay.wire.message.ErrorCode;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What write protection refuses through the API. */
@Timeout(300)
class ProtectionTest {
  private static final int MIB = 1 << 20;

  private static EmbeddedCluster cluster;
  private static Cluster admin;

  @BeforeAll
  static void start() throws Exception {
    cluster =
        EmbeddedCluster.builder().copies(2).segmentBytes(MIB).budget(24L * MIB, 48L * MIB).start();
    admin = Cluster.connect(cluster.uri());
  }

  @AfterAll
  static void end() {
    if (admin != null) admin.close();
    if (cluster != null) cluster.close();
  }

  private static Forebay instance(String name, String protection) throws IOException {
    admin.createInstance(name, InstanceOptions.defaults().withProtection(protection));
    return Forebay.connect(cluster.uri(name));
  }

  private static ErrorCode code(ThrowingCallable action) {
    Throwable failure = catchThrowable(action);
    return failure == null ? ErrorCode.NONE : Failures.codeOf(failure);
  }

  @Test
  void filesDoNotGetLargerThanAllowed() throws Exception {
    try (Forebay client = instance("sized", "file-size=1MiB,error")) {
      try (ForebayFile file = client.open("/a", WRITE, CREATE)) {
        file.write(ByteBuffer.allocate(MIB), 0);
        assertThatThrownBy(() -> file.write(ByteBuffer.allocate(1), MIB))
            .hasMessageContaining("allows files of 1 MiB");
        assertThat(code(() -> file.write(ByteBuffer.allocate(MIB), 1)))
            .isEqualTo(ErrorCode.TOO_LARGE);
        assertThat(code(() -> file.truncate(MIB + 1))).isEqualTo(ErrorCode.TOO_LARGE);
        assertThat(code(() -> file.writeAsync(ByteBuffer.allocate(8), MIB).join()))
            .isEqualTo(ErrorCode.TOO_LARGE);
        file.sync();
      }
      assertThat(client.stat("/a").sizeBytes()).isEqualTo(MIB);
      ForebayFile appending = client.open("/a", WRITE, APPEND);
      appending.append(ByteBuffer.allocate(1));
      assertThat(code(appending::close)).isEqualTo(ErrorCode.TOO_LARGE);
      assertThat(client.stat("/a").sizeBytes()).isEqualTo(MIB);
    }
  }

  @Test
  void noMoreFilesAreCreatedThanAllowedUntilTheOwnerAllowsMore() throws Exception {
    try (Forebay client = instance("counted", "files=2,error")) {
      client.open("/a", WRITE, CREATE).close();
      client.open("/b", WRITE, CREATE).close();
      client.unlink("/a");
      assertThat(code(() -> client.open("/c", WRITE, CREATE))).isEqualTo(ErrorCode.TOO_MANY_FILES);
      client.open("/b", WRITE, CREATE).close();
      admin.protectInstance("counted", "files=3,error");
      Eventually.await(
          () -> code(() -> client.open("/c", WRITE, CREATE).close()) == ErrorCode.NONE);
      assertThat(code(() -> client.open("/d", WRITE, CREATE))).isEqualTo(ErrorCode.TOO_MANY_FILES);
      admin.protectInstance("counted", "none");
      Eventually.await(
          () -> code(() -> client.open("/d", WRITE, CREATE).close()) == ErrorCode.NONE);
    }
  }

  @Test
  void tooManyBytesWithinTheWindowMakeItReadOnlyForAWhile() throws Exception {
    try (Forebay client = instance("window", "window=3MiB/4s,log,error")) {
      try (ForebayFile file = client.open("/kept", WRITE, CREATE)) {
        file.write(ByteBuffer.allocate(3 * MIB), 0);
      }
      ForebayFile other = client.open("/other", WRITE, CREATE);
      other.writeAsync(ByteBuffer.allocate(10), 0).join();
      Eventually.await(
          () ->
              code(() -> other.writeAsync(ByteBuffer.allocate(10), 10).join())
                  == ErrorCode.READ_ONLY);
      assertThatThrownBy(() -> other.write(ByteBuffer.allocate(10), 10))
          .hasMessageContaining("its write protection (window=3MiB/4s,log,error) allows 3 MiB");
      assertThat(client.stat("/kept").sizeBytes()).isEqualTo(3 * MIB);
      client.unlink("/kept");
      assertThat(code(other::close)).as("a write was lost").isEqualTo(ErrorCode.READ_ONLY);
      Eventually.await(() -> code(() -> writeAnother(client)) == ErrorCode.NONE);
    }
  }

  private static void writeAnother(Forebay client) throws IOException {
    try (ForebayFile file = client.open("/again", WRITE, CREATE)) {
      file.write(ByteBuffer.allocate(10), 0);
    }
  }

  @Test
  void whatOnlyLogsRefusesNothing() throws Exception {
    try (Forebay client = instance("logged", "file-size=4KiB,files=1,log")) {
      for (String path : new String[] {"/a", "/b"}) {
        try (ForebayFile file = client.open(path, WRITE, CREATE)) {
          file.write(ByteBuffer.allocate(MIB), 0);
        }
      }
    }
  }

  @Test
  void textsThatMeanNothingAreRefused() {
    assertThatThrownBy(
            () -> admin.createInstance("x", InstanceOptions.defaults().withProtection("swap")))
        .hasMessageContaining("'swap' is not a write protection");
    assertThatThrownBy(
            () ->
                admin.createInstance(
                    "x", InstanceOptions.defaults().withProtection("window=10x/24h")))
        .hasMessageContaining("has no capacity");
  }
}
