// SPDX-License-Identifier: Apache-2.0

package io.forebay.client;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.TRUNCATE_EXISTING;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.forebay.client.failure.Failures;
import io.forebay.client.fake.FakeServer;
import io.forebay.client.file.AttributeChange;
import io.forebay.client.file.DirectoryEntry;
import io.forebay.client.file.FileStat;
import io.forebay.client.file.NodePage;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Identity;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemLoopException;
import java.time.Instant;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class NodesTest {
  private FakeServer server;
  private Forebay client;
  private Nodes nodes;
  private long root;

  @BeforeEach
  void connect() throws IOException {
    server = new FakeServer(2, 1, 0);
    client = Forebay.connect(server.uri());
    nodes = client.nodes();
    root = nodes.root();
  }

  @AfterEach
  void disconnect() throws IOException {
    client.close();
    server.close();
  }

  @Test
  void namesAreMadeAndFoundInDirectories() throws IOException {
    long directory = nodes.mkdir(root, "d", 0750).number();
    long below = nodes.mkdir(directory, "e", 0700).number();
    assertThat(nodes.lookup(root, "d").number()).isEqualTo(directory);
    assertThat(nodes.lookup(directory, "e").number()).isEqualTo(below);
    assertThat(nodes.stat(directory).mode()).isEqualTo(0750);
    assertThat(client.stat("/d/e").number()).isEqualTo(below);
    nodes.rename(directory, "e", root, "f", false, false);
    assertThat(nodes.lookup(root, "f").number()).isEqualTo(below);
    assertThat(codeOf(() -> nodes.lookup(directory, "e"))).isEqualTo(ErrorCode.NOT_FOUND);
    nodes.rmdir(root, "f");
    assertThat(nodes.list(root, "", 10).entries()).hasSize(1);
  }

  @Test
  void linksAreNotFollowed() throws IOException {
    nodes.mkdir(root, "d", 0755);
    FileStat link = nodes.symlink("d", root, "s");
    assertThat(nodes.lookup(root, "s").number()).isEqualTo(link.number());
    assertThat(nodes.readlink(link.number())).isEqualTo("d");
    assertThatThrownBy(() -> nodes.create(root, "s", List.of(WRITE, CREATE), 0644))
        .isInstanceOf(FileSystemLoopException.class);
  }

  @Test
  void namesAreNotPaths() {
    for (String name : List.of("", "a/b", "/")) {
      assertThat(codeOf(() -> nodes.mkdir(root, name, 0755))).isEqualTo(ErrorCode.INVALID);
    }
  }

  @Test
  void listingsGoOnBehindAName() throws IOException {
    for (String name : List.of("a", "b", "c")) nodes.mkdir(root, name, 0755);
    NodePage first = nodes.list(root, "", 2);
    assertThat(first.entries()).extracting(DirectoryEntry::name).containsExactly("a", "b");
    assertThat(first.more()).isTrue();
    NodePage second = nodes.list(root, "b", 2);
    assertThat(second.entries()).extracting(DirectoryEntry::name).containsExactly("c");
    assertThat(second.more()).isFalse();
  }

  @Test
  void filesAreMadeAndOpenedByNumber() throws IOException {
    long number;
    try (ForebayFile file = nodes.create(root, "f", List.of(READ, WRITE, CREATE), 0640)) {
      number = file.number();
      assertThat(file.openedStat().mode()).isEqualTo(0640);
      file.write(text("hello"), 0);
      assertThat(nodes.stat(number).sizeBytes()).isEqualTo(5);
    }
    try (ForebayFile file = nodes.open(number, List.of(READ))) {
      assertThat(file.openedStat().sizeBytes()).isEqualTo(5);
      assertThat(read(file)).isEqualTo("hello");
    }
    try (ForebayFile same = nodes.create(root, "f", List.of(WRITE, CREATE), 0600)) {
      assertThat(same.number()).isEqualTo(number);
    }
    assertThatThrownBy(() -> nodes.create(root, "f", List.of(WRITE, CREATE_NEW), 0600))
        .isInstanceOf(FileAlreadyExistsException.class);
    nodes.open(number, List.of(WRITE, TRUNCATE_EXISTING)).close();
    assertThat(nodes.stat(number).sizeBytes()).isZero();
  }

  @Test
  void handlesOutliveTheName() throws IOException {
    try (ForebayFile file = nodes.create(root, "f", List.of(READ, WRITE, CREATE), 0644)) {
      nodes.unlink(root, "f");
      file.write(text("still here"), 0);
      assertThat(read(file)).isEqualTo("still here");
      file.set(new AttributeChange().sizeBytes(5));
      file.set(new AttributeChange().mode(0600).owner(7, 8));
      FileStat stat = file.stat();
      assertThat(stat.sizeBytes()).isEqualTo(5);
      assertThat(stat.mode()).isEqualTo(0600);
      assertThat(stat.user()).isEqualTo(7);
      assertThat(stat.links()).isZero();
      assertThat(read(file)).isEqualTo("still");
    }
  }

  @Test
  void timesStayAsSetThoughWrittenBefore() throws IOException {
    Instant then = Instant.ofEpochSecond(1_000_000, 5);
    try (ForebayFile file = nodes.create(root, "f", List.of(WRITE, CREATE), 0644)) {
      file.write(text("one"), 0);
      nodes.set(file.number(), new AttributeChange().times(then, then));
    }
    assertThat(nodes.lookup(root, "f").modifyTime()).isEqualTo(then);
    try (ForebayFile file = nodes.create(root, "f", List.of(WRITE, CREATE), 0644)) {
      file.write(text("two"), 0);
      file.set(new AttributeChange().times(then, then));
    }
    assertThat(nodes.lookup(root, "f").modifyTime()).isEqualTo(then);
  }

  @Test
  void statTellsWhenItWasWritten() throws IOException {
    Instant after;
    try (ForebayFile file = nodes.create(root, "f", List.of(WRITE, CREATE), 0644)) {
      Instant before = nodes.stat(file.number()).modifyTime();
      file.write(text("one"), 0);
      after = nodes.stat(file.number()).modifyTime();
      assertThat(after).isAfter(before);
    }
    assertThat(nodes.lookup(root, "f").modifyTime()).isEqualTo(after);
  }

  @Test
  void eachActsAsWhomItSays() throws IOException {
    Nodes somebody = nodes.as(new Identity(1234, List.of(55)));
    FileStat made = somebody.mkdir(root, "mine", 0755);
    assertThat(made.user()).isEqualTo(1234);
    assertThat(made.group()).isEqualTo(55);
  }

  @Test
  void whoMayNotWriteDoesNotCut() throws IOException {
    try (ForebayFile file = nodes.create(root, "f", List.of(WRITE, CREATE), 0400)) {
      long number = file.number();
      nodes.access(number, 4);
      assertThat(codeOf(() -> nodes.access(number, 6))).isEqualTo(ErrorCode.ACCESS_DENIED);
      AttributeChange cut = new AttributeChange().sizeBytes(5);
      assertThat(codeOf(() -> nodes.set(number, cut))).isEqualTo(ErrorCode.ACCESS_DENIED);
      assertThat(file.set(cut).sizeBytes()).isEqualTo(5);
    }
  }

  @Test
  void extraAttributesByNumber() throws IOException {
    long number = nodes.mkdir(root, "d", 0755).number();
    nodes.setExtra(number, "user.a", new byte[] {1, 2}, true, false);
    assertThat(nodes.getExtra(number, "user.a")).containsExactly(1, 2);
    assertThat(nodes.listExtras(number)).containsExactly("user.a");
    nodes.removeExtra(number, "user.a");
    assertThat(codeOf(() -> nodes.getExtra(number, "user.a"))).isEqualTo(ErrorCode.NO_ATTRIBUTE);
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
    return ByteBuffer.wrap(text.getBytes(java.nio.charset.StandardCharsets.UTF_8));
  }

  private static String read(ForebayFile file) throws IOException {
    ByteBuffer target = ByteBuffer.allocate(100);
    int count = Math.max(0, file.read(target, 0));
    return new String(target.array(), 0, count, java.nio.charset.StandardCharsets.UTF_8);
  }
}
