// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.access;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.client.Cluster;
import io.forebay.client.Forebay;
import io.forebay.client.ForebayFile;
import io.forebay.ring.Group;
import io.forebay.ring.Instance;
import io.forebay.ring.RingMap;
import io.forebay.ring.SeatEntry;
import io.forebay.server.EmbeddedCluster;
import io.forebay.server.Eventually;
import io.forebay.wire.Address;
import io.forebay.wire.WireLimits;
import io.forebay.wire.frame.FrameHead;
import io.forebay.wire.frame.Frames;
import io.forebay.wire.message.Data;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Handshake;
import io.forebay.wire.message.Identity;
import io.forebay.wire.message.Maps;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Names;
import io.forebay.wire.message.Replies;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A client that guessed the id of a record does not get it from a real cluster (P28). */
@Timeout(300)
class GuessedRecordsTest {
  private static final int LENGTH = 10_000;
  private static final long NO_PROOF = 0;
  private static final Identity STRANGER = new Identity(54321, List.of(54321));

  @Test
  void guessingTheIdOfARecordIsNotEnough() throws Exception {
    try (EmbeddedCluster cluster =
            EmbeddedCluster.builder()
                .servers(3)
                .segmentBytes(1 << 20)
                .budget(16 << 20, 16 << 20)
                .start();
        Forebay owner = Forebay.connect(cluster.uri())) {
      write(owner, "open", 0644);
      write(owner, "closed", 0600);
      Ring before = Ring.of(cluster);
      Names.RunsAre open = before.runs(STRANGER, "open");
      Names.RunsAre closed = before.runs(Identity.root(), "closed");
      assertThat(before.find(STRANGER, "closed")).isEqualTo(ErrorCode.ACCESS_DENIED);
      require(before, open, closed);
      String home = before.home(before.root()).server();
      cluster.stop(Integer.parseInt(home.substring("server-".length())) - 1);
      Eventually.await(() -> !Ring.of(cluster).home(before.root()).server().equals(home));
      require(Ring.of(cluster), open, closed);
    }
  }

  private static void write(Forebay client, String name, int mode) throws IOException {
    Set<StandardOpenOption> options =
        Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    try (ForebayFile file = client.open(name, options, mode)) {
      file.write(ByteBuffer.allocate(LENGTH), 0);
    }
  }

  private static void require(Ring ring, Names.RunsAre open, Names.RunsAre closed)
      throws Exception {
    assertThat(ring.get(open, open.proof())).isEqualTo(ErrorCode.NONE);
    assertThat(ring.get(closed, open.proof())).isEqualTo(ErrorCode.ACCESS_DENIED);
    assertThat(ring.get(closed, NO_PROOF)).isEqualTo(ErrorCode.ACCESS_DENIED);
    assertThat(ring.get(closed, closed.proof())).isEqualTo(ErrorCode.NONE);
  }

  /** What is asked of a ring, by a program that makes its messages itself. */
  private record Ring(RingMap map, Instance instance) {
    static Ring of(EmbeddedCluster cluster) throws IOException {
      try (Cluster admin = Cluster.connect(cluster.uri())) {
        RingMap map = admin.map();
        return new Ring(map, map.instance(EmbeddedCluster.DEFAULT_INSTANCE));
      }
    }

    Group root() {
      return map.group(instance.rootGroup());
    }

    SeatEntry home(Group group) {
      return map.seat(map.group(group.id()).home());
    }

    Names.RunsAre runs(Identity who, String name) throws Exception {
      Names.NodeIs node =
          (Names.NodeIs) names(Identity.root(), new Names.Lookup(Names.ROOT, name, true));
      long file = node.attributes().number();
      return (Names.RunsAre) names(who, new Names.FindRuns(file, 0, LENGTH, 10));
    }

    ErrorCode find(Identity who, String name) throws Exception {
      Names.NodeIs node =
          (Names.NodeIs) names(Identity.root(), new Names.Lookup(Names.ROOT, name, true));
      long file = node.attributes().number();
      return codeOf(names(who, new Names.FindRuns(file, 0, LENGTH, 10)));
    }

    private Message names(Identity who, Names.Question question) throws Exception {
      Group root = root();
      Names.Request request =
          new Names.Request(
              root.id(), root.epoch(), instance.id(), 0, 4711, 0, 0, 0, true, who, question);
      return ask(home(root), request);
    }

    /** What comes of a request for the first record. */
    ErrorCode get(Names.RunsAre runs, long proof) throws Exception {
      Names.Run run = runs.runs().getFirst();
      Data.Get get =
          new Data.Get(run.group(), run.record(), instance.id(), run.recordOffset(), LENGTH, proof);
      return codeOf(ask(home(map.group(run.group())), get));
    }

    private static ErrorCode codeOf(Message answer) {
      return answer instanceof Replies.Failed failed ? failed.code() : ErrorCode.NONE;
    }
  }

  /** Asks until it is decided. */
  private static Message ask(SeatEntry seat, Message question) throws Exception {
    Address.Inet door =
        seat.addresses().stream()
            .map(Address::parse)
            .filter(Address.Inet.class::isInstance)
            .map(Address.Inet.class::cast)
            .findFirst()
            .orElseThrow();
    Handshake.Hello hello =
        Handshake.Hello.of(Handshake.Role.CLIENT, Handshake.Lane.CONTROL, 0, "test", 1);
    try (Socket socket = new Socket(door.host(), door.port())) {
      send(socket, hello);
      assertThat(receive(socket)).isInstanceOf(Handshake.Welcome.class);
      while (true) {
        send(socket, question);
        Message answer = receive(socket);
        while (answer instanceof Maps.MapIs) answer = receive(socket);
        boolean notYet =
            answer instanceof Replies.Failed failed && failed.code() == ErrorCode.UNAVAILABLE;
        if (!notYet) return answer;
      }
    }
  }

  private static void send(Socket socket, Message message) throws IOException {
    ByteBuffer frame = new Frames().encode(1, message, Frames.NO_PAYLOAD);
    byte[] bytes = new byte[frame.remaining()];
    frame.get(bytes);
    socket.getOutputStream().write(bytes);
  }

  private static Message receive(Socket socket) throws Exception {
    DataInputStream in = new DataInputStream(socket.getInputStream());
    Frames frames = new Frames();
    byte[] head = new byte[Frames.HEAD_BYTES];
    in.readFully(head);
    FrameHead read = frames.head(ByteBuffer.wrap(head), WireLimits.BODY_BYTES_MAX);
    byte[] body = new byte[read.bodyBytes()];
    in.readFully(body);
    if (read.hasPayload()) in.readFully(new byte[read.payloadBytes()]);
    return frames.body(read, ByteBuffer.wrap(body));
  }
}
