// SPDX-License-Identifier: Apache-2.0

package io.forebay.wire.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.forebay.testing.TestCertificates;
import io.forebay.wire.Address;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** TLS over wires in memory that take and give as little as a test wants. */
class TlsChannelTest {
  private static final int MIB = 1024 * 1024;
  private static final int STEPS_MAX = 1_000_000;

  @TempDir static Path folder;
  private static TlsIdentity identity;

  private TlsBuffers buffers = new TlsBuffers();
  private Wire there;
  private Wire back;
  private TlsChannel client;
  private TlsChannel server;

  @BeforeAll
  static void makeCertificates() throws IOException {
    TestCertificates ca = TestCertificates.create(folder, "ca");
    TestCertificates.Pair pair = ca.issue("node");
    identity = TlsIdentity.read(new TlsSettings(pair.certificate(), pair.key(), ca.ca()));
  }

  private void connect(int roomBytes) throws IOException {
    there = new Wire(roomBytes);
    back = new Wire(roomBytes);
    client =
        new TlsChannel(
            identity.dialling(new Address.Inet("localhost", 1)), Wire.end(back, there), buffers);
    server = new TlsChannel(identity.listening(), Wire.end(there, back), buffers);
    Link.Progress left = Link.Progress.WANTS_TURN;
    Link.Progress right = Link.Progress.WANTS_TURN;
    for (int i = 0; i < STEPS_MAX; i++) {
      left = client.establish(() -> true);
      if (left == Link.Progress.DONE) client.flush();
      right = server.establish(() -> true);
      if (left == Link.Progress.DONE && right == left) return;
    }
    throw new AssertionError(left + " and " + right);
  }

  private static byte[] random(int bytes) {
    byte[] content = new byte[bytes];
    new Random(bytes).nextBytes(content);
    return content;
  }

  /** Moves everything of {@code from} into {@code into}, a step of each end at a time. */
  private void move(ByteBuffer from, ByteBuffer... into) throws IOException {
    for (int i = 0; i < STEPS_MAX; i++) {
      if (from.hasRemaining()) client.write(from);
      else client.flush();
      server.read(into);
      boolean full = true;
      for (ByteBuffer each : into) full &= !each.hasRemaining();
      if (full) return;
    }
    throw new AssertionError("does not arrive");
  }

  @Test
  void bytesArriveInBuffersOfBothKindsThroughWiresOfAllSizes() throws IOException {
    passThroughWiresOfAllSizes();
    buffers = new TlsBuffers(false);
    passThroughWiresOfAllSizes();
  }

  private void passThroughWiresOfAllSizes() throws IOException {
    for (int roomBytes : new int[] {7, 1000, 20_000, MIB}) {
      connect(roomBytes);
      int bytes = roomBytes < 1000 ? 50_000 : 3 * MIB + 17;
      for (boolean direct : new boolean[] {true, false}) {
        byte[] sent = random(bytes);
        ByteBuffer into = direct ? ByteBuffer.allocateDirect(bytes) : ByteBuffer.allocate(bytes);
        move(ByteBuffer.wrap(sent), into);
        assertThat(into.flip()).isEqualTo(ByteBuffer.wrap(sent));
        assertThat(server.hasInput()).isFalse();
      }
    }
  }

  @Test
  void aRecordThatDoesNotFitIsDeliveredInParts() throws IOException {
    connect(MIB);
    byte[] sent = random(40_000);
    client.write(ByteBuffer.wrap(sent));
    ByteBuffer all = ByteBuffer.allocate(sent.length);
    int reads = 0;
    while (all.hasRemaining()) {
      ByteBuffer[] small = {ByteBuffer.allocateDirect(100), ByteBuffer.allocate(33)};
      long count = server.read(small);
      assertThat(count).isEqualTo(Math.min(133, all.remaining()));
      for (ByteBuffer each : small) all.put(each.flip());
      // No selector would tell of the rest.
      assertThat(server.hasInput()).isEqualTo(all.hasRemaining());
      reads++;
    }
    assertThat(all.flip()).isEqualTo(ByteBuffer.wrap(sent));
    assertThat(reads).isEqualTo(sent.length / 133 + 1);
  }

  @Test
  void aReadThatLeavesRoomHasTakenAll() throws IOException {
    connect(MIB);
    for (int i = 0; i < 100; i++) client.write(ByteBuffer.wrap(random(100)));
    ByteBuffer into = ByteBuffer.allocate(MIB);
    assertThat(server.read(into)).isEqualTo(10_000);
    assertThat(server.hasInput()).isFalse();
    assertThat(server.read(into)).isZero();
  }

  @Test
  void shortBuffersShareRecordsAndLongOnesFillThem() throws IOException {
    connect(4 * MIB);
    client.write(ByteBuffer.allocate(1));
    // Head, padding and tag of a record.
    int besides = there.waiting() - 1;
    assertThat(server.read(ByteBuffer.allocate(1))).isEqualTo(1);
    byte[] sent = random(300_000);
    ByteBuffer all = ByteBuffer.wrap(sent);
    List<ByteBuffer> from = new ArrayList<>();
    // Heads and payloads, as an outbox gathers them, and buffers without bytes.
    for (int bytes : new int[] {0, 100, 100_000, 0, 0, 70, 16_000, 314, 1, 0, 183_515, 0}) {
      from.add(all.slice(all.position(), bytes));
      all.position(all.position() + bytes);
    }
    assertThat(all.hasRemaining()).isFalse();
    ByteBuffer[] gathered = from.toArray(ByteBuffer[]::new);
    assertThat(client.write(gathered, 1, gathered.length - 1)).isEqualTo(sent.length);
    int records = (sent.length + TlsRecords.CONTENT_BYTES_MAX - 1) / TlsRecords.CONTENT_BYTES_MAX;
    assertThat(there.waiting()).isEqualTo(sent.length + records * besides);
    ByteBuffer into = ByteBuffer.allocate(sent.length);
    while (into.hasRemaining()) server.read(into);
    assertThat(into.flip()).isEqualTo(ByteBuffer.wrap(sent));
  }

  @Test
  void nothingIsWrittenOfBuffersWithoutBytes() throws IOException {
    connect(MIB);
    ByteBuffer[] empty = {ByteBuffer.allocate(0), ByteBuffer.allocate(0)};
    assertThat(client.write(empty)).isZero();
    assertThat(there.waiting()).isZero();
  }

  @Test
  void oneCallPassesABoundedNumberOfBytes() throws IOException {
    connect(64 * MIB);
    ByteBuffer from = ByteBuffer.allocate(4 * MIB);
    assertThat(client.write(from)).isBetween(MIB / 2, MIB);
    while (from.hasRemaining()) client.write(from);
    ByteBuffer into = ByteBuffer.allocate(4 * MIB);
    assertThat(server.read(into)).isBetween(MIB / 2, MIB);
    while (into.hasRemaining()) server.read(into);
  }

  @Test
  void whatTheSocketDidNotTakeIsSentFirst() throws IOException {
    connect(1000);
    byte[] sent = random(30_000);
    ByteBuffer from = ByteBuffer.wrap(sent);
    client.write(from);
    assertThat(client.hasOutput()).isTrue();
    assertThat(there.waiting()).isEqualTo(1000);
    ByteBuffer into = ByteBuffer.allocate(sent.length);
    move(from, into);
    assertThat(into.flip()).isEqualTo(ByteBuffer.wrap(sent));
    assertThat(client.hasOutput()).isFalse();
  }

  @Test
  void idleEndsHoldNoBuffers() throws IOException {
    connect(MIB);
    ByteBuffer into = ByteBuffer.allocate(100_000);
    move(ByteBuffer.wrap(random(100_000)), into);
    client.rest();
    server.rest();
    int input = buffers.input().idle();
    int output = buffers.output().idle();
    assertThat(input).isPositive();
    assertThat(output).isPositive();
    client.write(ByteBuffer.wrap(random(10)));
    into.clear();
    server.read(into);
    server.rest();
    assertThat(buffers.input().idle()).isEqualTo(input);
    assertThat(buffers.output().idle()).isEqualTo(output);
  }

  @Test
  void theEndIsSaid() throws IOException {
    connect(MIB);
    client.write(ByteBuffer.wrap(random(10)));
    client.sayGoodbye();
    client.close();
    ByteBuffer into = ByteBuffer.allocate(100);
    assertThat(server.read(into)).isEqualTo(10);
    assertThat(server.hasInput()).isTrue();
    assertThat(server.read(into)).isEqualTo(-1);
  }

  @Test
  void anEndThatIsNotSaidIsAnInterruption() throws IOException {
    connect(MIB);
    client.write(ByteBuffer.wrap(random(10)));
    client.close();
    ByteBuffer into = ByteBuffer.allocate(100);
    assertThat(server.read(into)).isEqualTo(10);
    assertThat(server.hasInput()).isTrue();
    assertThatThrownBy(() -> server.read(into))
        .isInstanceOfSatisfying(
            TlsFailure.class, e -> assertThat(e.kind()).isEqualTo(TlsFailure.Kind.INTERRUPTED));
  }

  @Test
  void anEndThatClosesBeforeItHasTheAnswerIsAnInterruption() throws IOException {
    there = new Wire(MIB);
    back = new Wire(MIB);
    client =
        new TlsChannel(
            identity.dialling(new Address.Inet("localhost", 1)), Wire.end(back, there), buffers);
    server = new TlsChannel(identity.listening(), Wire.end(there, back), buffers);
    client.establish(() -> true);
    server.establish(() -> true);
    client.sayGoodbye();
    assertThatThrownBy(() -> server.establish(() -> true))
        .isInstanceOfSatisfying(
            TlsFailure.class, e -> assertThat(e.kind()).isEqualTo(TlsFailure.Kind.INTERRUPTED))
        .hasMessageContaining("closed the connection before the TLS handshake was done");
  }

  @Test
  void aTruncatedRecordIsAnInterruption() throws IOException {
    connect(MIB);
    client.write(ByteBuffer.wrap(random(1000)));
    there.dropLast(1);
    there.end();
    assertThatThrownBy(() -> server.read(ByteBuffer.allocate(2000)))
        .isInstanceOfSatisfying(
            TlsFailure.class, e -> assertThat(e.kind()).isEqualTo(TlsFailure.Kind.INTERRUPTED));
  }

  @Test
  void aChangedByteEndsTheStreamBehindWhatIsSound() throws IOException {
    connect(MIB);
    client.write(ByteBuffer.wrap(random(10)));
    there.breakAfter(500);
    client.write(ByteBuffer.wrap(random(1000)));
    client.write(ByteBuffer.wrap(random(1000)));
    ByteBuffer into = ByteBuffer.allocate(5000);
    assertThat(server.read(into)).isEqualTo(10);
    assertThat(server.hasInput()).isTrue();
    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(() -> server.read(into))
          .isInstanceOf(TlsFailure.class)
          .hasMessageContaining("cannot be read");
    }
    // The sender is told.
    server.sayGoodbye();
    assertThatThrownBy(() -> client.read(ByteBuffer.allocate(10)))
        .isInstanceOf(TlsFailure.class)
        .hasMessageContaining("bad_record_mac");
  }

  @Test
  void recordsLongerThanAllowedEndTheStream() throws IOException {
    connect(MIB);
    byte[] head = {23, 3, 3, (byte) 0xff, (byte) 0xff};
    Wire.end(back, there).write(ByteBuffer.wrap(head));
    assertThatThrownBy(() -> server.read(ByteBuffer.allocate(10)))
        .isInstanceOf(TlsFailure.class)
        .hasMessageContaining("record of 65540 bytes");
  }

  @Test
  void theNamesOfTheOtherEndAreKnown() throws IOException {
    connect(MIB);
    for (TlsChannel end : new TlsChannel[] {client, server}) {
      assertThat(end.peer().subject()).isEqualTo("CN=node");
      assertThat(end.peer().names()).contains("localhost", "127.0.0.1");
    }
  }
}
