// SPDX-License-Identifier: Apache-2.0

package io.forebay.client;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.client.failure.Failures;
import io.forebay.client.fake.FakeServer;
import io.forebay.client.file.AttributeChange;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Names;
import io.forebay.wire.message.Replies;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Handles whose session has ended, and calls that nobody answers. */
class StrandedTest {
  private FakeServer server;
  private Forebay client;

  @BeforeEach
  void connect() throws IOException {
    server = new FakeServer(2, 1, 0);
    client =
        Forebay.connect(
            server.uri(), ForebayOptions.defaults().withTimeout(Duration.ofMillis(300)));
  }

  @AfterEach
  void disconnect() throws IOException {
    client.close();
    server.close();
  }

  @Test
  void aFileThatLostNothingGoesOnInTheNextSession() throws IOException {
    try (ForebayFile file = client.open("/f", READ, WRITE, CREATE);
        ForebayFile reader = client.open("/f", READ)) {
      file.write(text("one"), 0);
      file.sync();
      endSession();
      assertThat(read(reader)).isEqualTo("one");
      file.write(text("two"), 3);
      file.sync();
      assertThat(read(reader)).isEqualTo("onetwo");
      long number = file.number();
      assertThat(server.<Boolean>on(ring -> ring.isOpen("scratch", number))).isTrue();
      endSession();
      file.set(new AttributeChange().mode(0600));
      assertThat(file.stat().mode()).isEqualTo(0600);
      endSession();
      file.punch(0, 3);
      file.truncate(5);
      assertThat(read(reader)).isEqualTo("\0\0\0tw");
      endSession();
    }
  }

  @Test
  void whatWasNotPublishedIsToldToBeLost() throws IOException {
    ForebayFile file = client.open("/f", READ, WRITE, CREATE);
    file.write(text("one"), 0);
    file.sync();
    file.write(text("two"), 3);
    endSession();
    assertThat(codeOf(file::sync)).isEqualTo(ErrorCode.SESSION_ENDED);
    assertThat(codeOf(() -> file.set(new AttributeChange().mode(0600))))
        .isEqualTo(ErrorCode.SESSION_ENDED);
    assertThat(codeOf(file::close)).isEqualTo(ErrorCode.SESSION_ENDED);
    try (ForebayFile again = client.open("/f", READ, WRITE)) {
      assertThat(read(again)).isEqualTo("one");
    }
  }

  @Test
  void whatWasWrittenBeforeTheEndWasKnownIsToldToBeLost() throws IOException {
    ForebayFile file = client.open("/f", READ, WRITE, CREATE);
    ForebayFile other = client.open("/f", READ);
    server.on(
        ring -> {
          ring.expireSessions("scratch");
          return true;
        });
    file.write(text("two"), 3);
    assertThat(codeOf(file::sync)).isEqualTo(ErrorCode.SESSION_ENDED);
    file.write(ByteBuffer.allocate(0), 0);
    assertThat(codeOf(file::close)).isEqualTo(ErrorCode.SESSION_ENDED);
    assertThat(read(other)).isEmpty();
    other.close();
  }

  @Test
  void aFileThatIsGoneIsSaidToBe() throws IOException {
    ForebayFile file = client.open("/f", READ, WRITE, CREATE);
    endSession();
    server.on(
        ring -> {
          ring.forgetFile("scratch", "f");
          return true;
        });
    assertThat(codeOf(() -> file.write(text("x"), 0))).isEqualTo(ErrorCode.STALE_HANDLE);
    assertThat(codeOf(file::close)).isEqualTo(ErrorCode.NONE);
  }

  @Test
  void whenNobodyAnswersEachCallFailsInTimeAndAllIsWellAfterwards() throws IOException {
    Nodes nodes = client.nodes();
    long root = nodes.root();
    ForebayFile file = client.open("/f", READ, WRITE, CREATE);
    ForebayFile reader = client.open("/f", READ);
    file.write(text("one"), 0);
    file.sync();
    server.on(
        ring -> {
          ring.meddle((seat, request) -> new Replies.Failed(ErrorCode.UNAVAILABLE, "not now"));
          return true;
        });
    List<ThrowingCallable> calls = new ArrayList<>();
    calls.add(() -> nodes.lookup(root, "f"));
    calls.add(() -> nodes.stat(file.number()));
    calls.add(() -> nodes.list(root, "", 10));
    calls.add(() -> nodes.mkdir(root, "d", 0755));
    calls.add(() -> nodes.open(file.number(), List.of(READ)));
    calls.add(() -> nodes.create(root, "g", List.of(WRITE, CREATE), 0644));
    calls.add(() -> nodes.usage());
    calls.add(() -> read(reader));
    calls.add(() -> reader.seekHole(0));
    calls.add(() -> reader.stat());
    for (ThrowingCallable call : calls) assertThat(codeOf(call)).isEqualTo(ErrorCode.UNAVAILABLE);
    server.on(
        ring -> {
          ring.meddle((seat, request) -> null);
          return true;
        });
    assertThat(read(reader)).isEqualTo("one");
    assertThat(nodes.lookup(root, "f").sizeBytes()).isEqualTo(3);
    file.write(text("two"), 3);
    file.close();
    assertThat(read(reader)).isEqualTo("onetwo");
    reader.close();
  }

  @Test
  void whatCannotBeWrittenIsToldOnSyncAndOnClose() throws IOException {
    ForebayFile file = client.open("/f", READ, WRITE, CREATE);
    server.on(
        ring -> {
          ring.meddle(
              (seat, request) ->
                  request instanceof Names.Request asked && asked.what() instanceof Names.Question
                      ? null
                      : new Replies.Failed(ErrorCode.UNAVAILABLE, "not now"));
          return true;
        });
    file.write(text("one"), 0);
    assertThat(codeOf(file::sync)).isEqualTo(ErrorCode.UNAVAILABLE);
    assertThat(codeOf(file::close)).isEqualTo(ErrorCode.UNAVAILABLE);
    server.on(
        ring -> {
          ring.meddle((seat, request) -> null);
          return true;
        });
    assertThat(client.stat("/f").sizeBytes()).isZero();
  }

  /** The servers end it, and the client hears of that. */
  private void endSession() throws IOException {
    server.on(
        ring -> {
          ring.expireSessions("scratch");
          return true;
        });
    assertThat(codeOf(() -> client.mkdir("/told"))).isEqualTo(ErrorCode.SESSION_ENDED);
  }

  private static ErrorCode codeOf(ThrowingCallable call) {
    try {
      call.call();
    } catch (Throwable e) {
      return Failures.codeOf(e);
    }
    return ErrorCode.NONE;
  }

  private static ByteBuffer text(String text) {
    return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
  }

  private static String read(ForebayFile file) throws IOException {
    ByteBuffer target = ByteBuffer.allocate(100);
    int count = Math.max(0, file.read(target, 0));
    return new String(target.array(), 0, count, StandardCharsets.UTF_8);
  }
}
