// SPDX-License-Identifier: Apache-2.0

package io.forebay.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.forebay.base.Bytes;
import io.forebay.base.RecordId;
import io.forebay.client.Cluster;
import io.forebay.client.Forebay;
import io.forebay.client.ForebayOptions;
import io.forebay.client.failure.ForebayException;
import io.forebay.ring.Group;
import io.forebay.ring.Instance;
import io.forebay.ring.RingMap;
import io.forebay.testing.TestSeed;
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
import java.io.OutputStream;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What strangers and broken programs send; whatever it is, others are served as before. */
@Timeout(300)
class BadInputsTest {
  private static final long TIB = 1L << 40;
  private static final int SOCKET_MILLIS_MAX = 20_000;

  private static EmbeddedCluster cluster;

  @BeforeAll
  static void start() throws IOException, StartFailed {
    cluster =
        EmbeddedCluster.builder()
            .servers(2)
            .segmentBytes(1 << 20)
            .budget(16 << 20, 16 << 20)
            .start();
  }

  @AfterAll
  static void end() {
    cluster.close();
  }

  @AfterEach
  void othersAreServed() throws IOException {
    assertThat(cluster.failure()).isNull();
    try (Forebay client = Forebay.connect(cluster.uri())) {
      byte[] value = new byte[100_000];
      client.pairs().put("still", value);
      assertThat(client.pairs().get("still")).isEqualTo(value);
    }
  }

  private static List<Address.Inet> doors() {
    return List.of(
        cluster.managerAddress(),
        (Address.Inet) cluster.addresses(0).get(0),
        (Address.Inet) cluster.addresses(1).get(0));
  }

  private static Socket dial(Address.Inet door) throws IOException {
    Socket socket = new Socket(door.host(), door.port());
    socket.setSoTimeout(SOCKET_MILLIS_MAX);
    return socket;
  }

  private static void send(Socket socket, ByteBuffer bytes) throws IOException {
    byte[] array = new byte[bytes.remaining()];
    bytes.get(array);
    socket.getOutputStream().write(array);
  }

  private static ByteBuffer hello(int versionMin, int versionMax) {
    Handshake.Hello hello =
        new Handshake.Hello(
            versionMin,
            versionMax,
            Handshake.Role.CLIENT,
            Handshake.Lane.CONTROL,
            0,
            "test",
            1,
            Bytes.EMPTY);
    return new Frames().encode(0, hello, Frames.NO_PAYLOAD);
  }

  private static Message receive(Socket socket) throws Exception {
    DataInputStream in = new DataInputStream(socket.getInputStream());
    Frames frames = new Frames();
    byte[] head = new byte[Frames.HEAD_BYTES];
    in.readFully(head);
    FrameHead read = frames.head(ByteBuffer.wrap(head), WireLimits.BODY_BYTES_MAX);
    byte[] body = new byte[read.bodyBytes()];
    in.readFully(body);
    return frames.body(read, ByteBuffer.wrap(body));
  }

  /** Reads until the other end closes; fails if it does not. */
  private static void awaitClosed(Socket socket) throws IOException {
    try {
      socket.getInputStream().transferTo(OutputStream.nullOutputStream());
    } catch (SocketException reset) {
      assertThat(reset).hasMessageContaining("reset");
    }
  }

  @Test
  void garbageEndsTheConnection() throws IOException {
    Random random = new Random(TestSeed.next("BadInputsTest"));
    for (Address.Inet door : doors()) {
      byte[] garbage = new byte[10_000];
      random.nextBytes(garbage);
      try (Socket socket = dial(door)) {
        socket.getOutputStream().write(garbage);
        awaitClosed(socket);
      }
      try (Socket socket = dial(door)) {
        socket
            .getOutputStream()
            .write("GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        awaitClosed(socket);
      }
    }
  }

  @Test
  void anotherVersionIsRefusedWithASentence() throws Exception {
    for (Address.Inet door : doors()) {
      try (Socket socket = dial(door)) {
        send(socket, hello(98, 99));
        assertThat(receive(socket))
            .isInstanceOfSatisfying(
                Handshake.Refusal.class,
                refusal -> {
                  assertThat(refusal.code()).isEqualTo(ErrorCode.WRONG_VERSION);
                  assertThat(refusal.detail()).contains("98 to 99");
                });
        awaitClosed(socket);
      }
    }
  }

  @Test
  void aFrameOfOneTebibyteTakesNoMemory() throws Exception {
    for (Address.Inet door : doors()) {
      try (Socket socket = dial(door)) {
        send(socket, hello(Handshake.VERSION_MIN, Handshake.VERSION_MAX));
        assertThat(receive(socket)).isInstanceOf(Handshake.Welcome.class);
        ByteBuffer frame = new Frames().encode(1, new Maps.GetMap(0), Frames.NO_PAYLOAD);
        // The payload's length stands behind magic, code and the body's length.
        frame.putLong(3 * Integer.BYTES, TIB);
        int sumAt = Frames.HEAD_BYTES - Integer.BYTES;
        CRC32C sum = new CRC32C();
        sum.update(frame.duplicate().limit(sumAt));
        frame.putInt(sumAt, (int) sum.getValue());
        send(socket, frame);
        awaitClosed(socket);
      }
    }
  }

  /** A connection that has been let in. */
  private static Socket guest(Address.Inet door) throws Exception {
    Socket socket = dial(door);
    send(socket, hello(Handshake.VERSION_MIN, Handshake.VERSION_MAX));
    assertThat(receive(socket)).isInstanceOf(Handshake.Welcome.class);
    return socket;
  }

  private static Message ask(Socket socket, Message question) throws Exception {
    send(socket, new Frames().encode(1, question, Frames.NO_PAYLOAD));
    while (true) {
      Message answer = receive(socket);
      // Comes unasked.
      if (!(answer instanceof Maps.MapIs)) return answer;
    }
  }

  private static ErrorCode refusal(Message answer) {
    assertThat(answer).isInstanceOf(Replies.Failed.class);
    return ((Replies.Failed) answer).code();
  }

  @Test
  void aQuestionForMoreThanAnAnswerHoldsIsRefused() throws Exception {
    List<RecordId> many = Collections.nCopies(262_140, new RecordId(1, 1));
    for (Address.Inet door : doors().subList(1, 3)) {
      try (Socket socket = guest(door)) {
        assertThat(refusal(ask(socket, new Data.AskHeld(1, many)))).isEqualTo(ErrorCode.INVALID);
      }
    }
  }

  @Test
  void aPathOfMegabytesIsNeitherJournalledNorRemembered() throws Exception {
    RingMap map;
    try (Cluster admin = Cluster.connect(cluster.uri(""))) {
      map = admin.map();
    }
    Instance instance = map.instances().getFirst();
    Group group = map.group(instance.rootGroup());
    assertThat(group).isNotNull();
    String home = map.seat(group.home()).server();
    String path = "x".repeat(1_800_000);
    for (int server = 0; server < 2; server++) {
      try (Socket socket = guest((Address.Inet) cluster.addresses(server).get(0))) {
        Names.Request begin =
            request(group, instance, 1, new Names.BeginSession("test", 60_000_000_000L));
        Message begun = ask(socket, begin);
        if (begun instanceof Replies.Failed failed) {
          assertThat(failed.code()).as(home).isEqualTo(ErrorCode.NOT_HOME);
          continue;
        }
        Names.Request made =
            request(group, instance, 2, new Names.MakeDirectory(12345, path, 0755));
        assertThat(refusal(ask(socket, made))).isEqualTo(ErrorCode.NAME_TOO_LONG);
        Names.Request elsewhere =
            new Names.Request(
                group.id(),
                group.epoch(),
                instance.id(),
                77,
                4711,
                3,
                0,
                0,
                true,
                Identity.root(),
                new Names.BeginSession("test", Long.MAX_VALUE));
        assertThat(refusal(ask(socket, elsewhere))).isEqualTo(ErrorCode.SESSION_ENDED);
        ask(socket, request(group, instance, 4, new Names.EndSession()));
      }
    }
  }

  private static Names.Request request(Group group, Instance instance, long op, Names.Op what) {
    return new Names.Request(
        group.id(), group.epoch(), instance.id(), 0, 4711, op, 0, 0, true, Identity.root(), what);
  }

  @Test
  void aSettingOfAMegabyteIsRefused() throws Exception {
    String backing = "file:/" + "x".repeat(1_000_000);
    Maps.CreateInstance create =
        new Maps.CreateInstance(
            1,
            "long",
            Identity.root(),
            "job",
            "shared",
            0,
            1,
            false,
            "continue",
            "ketama",
            0,
            0,
            backing,
            "",
            "",
            false,
            "",
            "everyone",
            "squash",
            0,
            "");
    try (Socket socket = guest(cluster.managerAddress())) {
      assertThat(refusal(ask(socket, create))).isEqualTo(ErrorCode.INVALID);
    }
  }

  @Test
  void whoStopsReadingDelaysNobody() throws Exception {
    ByteBuffer question = new Frames().encode(1, new Maps.GetMap(0), Frames.NO_PAYLOAD);
    byte[] bytes = new byte[question.remaining()];
    question.get(bytes);
    for (Address.Inet door : doors()) {
      try (Socket socket = dial(door)) {
        send(socket, hello(Handshake.VERSION_MIN, Handshake.VERSION_MAX));
        assertThat(receive(socket)).isInstanceOf(Handshake.Welcome.class);
        for (int i = 0; i < 5000; i++) socket.getOutputStream().write(bytes);
        othersAreServed();
      }
    }
  }

  @Test
  void whoSaysNothingDelaysNobody() throws IOException {
    for (Address.Inet door : doors()) {
      try (Socket silent = dial(door);
          Socket half = dial(door)) {
        ByteBuffer hello = hello(Handshake.VERSION_MIN, Handshake.VERSION_MAX);
        send(half, hello.limit(hello.limit() / 2));
        othersAreServed();
        assertThat(silent.isConnected()).isTrue();
      }
    }
  }

  @Test
  void anInstanceThatIsNotThereIsNamed() {
    assertThatThrownBy(() -> Forebay.connect(cluster.uri("nowhere")))
        .isInstanceOf(ForebayException.class)
        .hasMessageContaining("no instance 'nowhere'")
        .hasMessageContaining("default");
  }

  @Test
  void aClusterThatIsNotThereIsNamed() throws IOException {
    int port;
    try (ServerSocket free = new ServerSocket(0)) {
      port = free.getLocalPort();
    }
    ForebayOptions impatient = ForebayOptions.defaults().withTimeout(Duration.ofSeconds(1));
    assertThatThrownBy(() -> Forebay.connect("forebay://127.0.0.1:" + port + "/x", impatient))
        .isInstanceOf(ForebayException.class)
        .hasMessageContaining("127.0.0.1:" + port)
        .hasMessageContaining("no process listens there");
  }
}
