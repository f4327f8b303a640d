// SPDX-License-Identifier: Apache-2.0

package io.forebay.client;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.forebay.client.failure.Failures;
import io.forebay.client.fake.FakeServer;
import io.forebay.wire.message.ErrorCode;
import java.io.IOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Holes, room ahead of writing, and copies from file to file. */
class HolesTest {
  private static final int MIB = 1024 * 1024;

  private FakeServer server;
  private Forebay client;
  private ForebayFile file;

  @BeforeEach
  void connect() throws IOException {
    server = new FakeServer(2, 1, 64L * MIB);
    client = Forebay.connect(server.uri());
    file = client.open("/f", READ, WRITE, CREATE);
  }

  @AfterEach
  void disconnect() throws IOException {
    client.close();
    server.close();
  }

  @Test
  void holesReadAsZerosWhetherPublishedOrNot() throws IOException {
    byte[] bytes = bytes(300_000, 1);
    file.write(ByteBuffer.wrap(bytes, 0, 200_000), 0);
    file.sync();
    file.write(ByteBuffer.wrap(bytes, 200_000, 100_000), 200_000);
    file.punch(150_000, 100_000);
    Arrays.fill(bytes, 150_000, 250_000, (byte) 0);
    assertThat(read(file, 400_000)).isEqualTo(bytes);
    assertThat(file.size()).isEqualTo(300_000);
    file.punch(290_000, 1_000_000);
    Arrays.fill(bytes, 290_000, 300_000, (byte) 0);
    assertThat(read(file, 400_000)).isEqualTo(bytes);
    file.write(ByteBuffer.wrap(bytes(10, 2)), 160_000);
    System.arraycopy(bytes(10, 2), 0, bytes, 160_000, 10);
    file.sync();
    assertThat(read(file, 400_000)).isEqualTo(bytes);
  }

  @Test
  void zerosMayMakeAFileLonger() throws IOException {
    file.write(ByteBuffer.wrap(bytes(100, 1)), 0);
    file.zero(50, 100, true);
    assertThat(file.size()).isEqualTo(100);
    file.zero(50, 100, false);
    assertThat(file.size()).isEqualTo(150);
    byte[] expected = Arrays.copyOf(Arrays.copyOf(bytes(100, 1), 50), 150);
    assertThat(read(file, 200)).isEqualTo(expected);
  }

  @Test
  void holesAreFoundInWhatIsPublishedAndWhatIsNot() throws IOException {
    file.write(ByteBuffer.wrap(bytes(100, 1)), 1000);
    file.sync();
    file.write(ByteBuffer.wrap(bytes(100, 1)), 1100);
    file.write(ByteBuffer.wrap(bytes(100, 1)), 2000);
    assertThat(file.seekData(0)).isEqualTo(1000);
    assertThat(file.seekHole(0)).isEqualTo(0);
    assertThat(file.seekHole(1050)).isEqualTo(1200);
    assertThat(file.seekData(1200)).isEqualTo(2000);
    assertThat(file.seekHole(2000)).isEqualTo(2100);
    assertThat(file.seekData(2100)).isEqualTo(-1);
    assertThat(file.seekHole(2100)).isEqualTo(-1);
    file.truncate(3000);
    assertThat(file.seekData(2100)).isEqualTo(-1);
    assertThat(file.seekHole(2100)).isEqualTo(2100);
  }

  @Test
  void holesAreFoundBehindManyRuns() throws IOException {
    // More runs than one answer tells, without a hole between them.
    for (int i = 0; i < 4500; i++) file.write(ByteBuffer.wrap(bytes(2, i)), 4L * i);
    file.sync();
    for (int i = 0; i < 4500; i++) file.write(ByteBuffer.wrap(bytes(2, i)), 4L * i + 2);
    file.write(ByteBuffer.wrap(bytes(2, 0)), 20_000);
    file.sync();
    assertThat(file.seekHole(0)).isEqualTo(18_000);
    assertThat(file.seekData(18_000)).isEqualTo(20_000);
  }

  @Test
  void roomIsKeptForWhatIsToBeWritten() throws IOException {
    file.allocate(0, 40L * MIB, true);
    assertThat(file.size()).isZero();
    assertThat(client.usage().promisedBytes()).isGreaterThanOrEqualTo(40L * MIB);
    file.allocate(0, 5L * MIB, false);
    assertThat(file.size()).isEqualTo(5L * MIB);
    assertThatThrownBy(() -> file.allocate(0, 200L * MIB, false))
        .satisfies(e -> assertThat(Failures.codeOf(e)).isEqualTo(ErrorCode.NO_SPACE));
    assertThat(file.size()).isEqualTo(5L * MIB);
  }

  @Test
  void copiesKeepHoles() throws IOException {
    byte[] bytes = bytes(3 * MIB + 77, 3);
    file.write(ByteBuffer.wrap(bytes), 100);
    file.write(ByteBuffer.wrap(bytes(1000, 4)), 10L * MIB);
    try (ForebayFile target = client.open("/g", READ, WRITE, CREATE)) {
      target.write(ByteBuffer.wrap(bytes(12 * MIB, 5)), 0);
      assertThat(file.copyTo(target, 100, 200, 20L * MIB)).isEqualTo(10L * MIB + 1000 - 100);
      byte[] expected = bytes(12 * MIB, 5);
      byte[] source = read(file, 11 * MIB);
      System.arraycopy(source, 100, expected, 200, source.length - 100);
      assertThat(read(target, 13 * MIB)).isEqualTo(expected);
      assertThat(target.seekHole(200)).isBetween(200L + 3 * MIB, 5L * MIB);
    }
  }

  @Test
  void aRangeIsNotCopiedOntoItself() throws IOException {
    file.write(ByteBuffer.wrap(bytes(1000, 3)), 0);
    assertThatThrownBy(() -> file.copyTo(file, 0, 500, 600))
        .satisfies(e -> assertThat(Failures.codeOf(e)).isEqualTo(ErrorCode.INVALID));
    assertThat(file.copyTo(file, 0, 1000, 600)).isEqualTo(600);
    assertThat(file.copyTo(file, 1600, 3000, 600)).isZero();
    byte[] expected = Arrays.copyOf(bytes(1000, 3), 1600);
    System.arraycopy(expected, 0, expected, 1000, 600);
    assertThat(read(file, 3000)).isEqualTo(expected);
  }

  @Test
  void copiesUseTheirMemoryAgain() throws IOException {
    file.write(ByteBuffer.wrap(bytes(1000, 1)), 0);
    assertThat(file.copyTo(file, 0, 1000, 1000)).isEqualTo(1000);
    BufferPoolMXBean direct =
        ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
            .filter(pool -> pool.getName().equals("direct"))
            .findFirst()
            .orElseThrow();
    long before = direct.getMemoryUsed();
    for (int i = 0; i < 50; i++) file.copyTo(file, 0, 1000, 1000);
    assertThat(direct.getMemoryUsed() - before).isLessThan(10L * MIB);
  }

  private static byte[] read(ForebayFile file, int length) throws IOException {
    ByteBuffer target = ByteBuffer.allocate(length);
    int count = file.read(target, 0);
    return Arrays.copyOf(target.array(), Math.max(0, count));
  }

  private static byte[] bytes(int count, long seed) {
    byte[] bytes = new byte[count];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }
}
