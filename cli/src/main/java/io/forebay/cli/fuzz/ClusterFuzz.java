// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.fuzz;

import io.forebay.base.BlockChecksums;
import io.forebay.base.Checksums;
import io.forebay.base.RecordId;
import io.forebay.base.proof.SessionSecret;
import io.forebay.client.Cluster;
import io.forebay.client.Forebay;
import io.forebay.client.ForebayOptions;
import io.forebay.client.InstanceOptions;
import io.forebay.ring.Group;
import io.forebay.ring.Instance;
import io.forebay.ring.RingMap;
import io.forebay.ring.SeatEntry;
import io.forebay.server.EmbeddedCluster;
import io.forebay.server.StartFailed;
import io.forebay.simulation.CapturedTraffic;
import io.forebay.simulation.fuzz.LiveValues;
import io.forebay.simulation.fuzz.MessageMaker;
import io.forebay.wire.Address;
import io.forebay.wire.codec.MessageTypes;
import io.forebay.wire.message.Data;
import io.forebay.wire.message.Handshake;
import io.forebay.wire.message.Identity;
import io.forebay.wire.message.Journals;
import io.forebay.wire.message.Maps;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Names;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;

/**
 * Fuzzes the servers and the manager of a cluster, over sockets, in each role:
 *
 * <ol>
 *   <li>traffic of a simulated cluster is captured, and the state of the real one (its groups,
 *       epochs, instances, sessions, files) is gathered;
 *   <li>messages are generated, or derived from captured ones with some values replaced, or are
 *       frames with damaged bytes, and sent as a client or a seat to a seat or the manager;
 *   <li>at intervals the fuzzer checks that no loop has failed, and that a client is served as
 *       before;
 *   <li>at the end all servers are stopped and started again one by one, so that each home is taken
 *       over and each journal read, and a client finds what it has written.
 * </ol>
 *
 * <p>As long as seats need not authenticate, members trust messages that only the home of a group
 * may send. So the fuzzer, as a seat, does not send orders to members in the current epoch.
 */
public final class ClusterFuzz {
  /**
   * The result.
   *
   * @param byType how many messages of each type were sent
   * @param answers the answers, by type or by the reason of a refusal
   */
  public record Result(
      long messages,
      Map<String, Integer> byType,
      Map<String, Integer> answers,
      @Nullable String failure) {}

  private static final int SERVERS = 3;
  private static final int CAPTURED_OPERATIONS = 60;
  private static final long CHECK_MESSAGES = 3000;
  private static final int PAYLOAD_BYTES_MAX = 8 * 1024;
  private static final int SESSIONS = 4;
  private static final int PEERS_MAX = 8;
  private static final int DEAF_ONE_IN = 10;
  private static final int DAMAGED_ONE_IN = 500;
  private static final String WITNESS = "witness";

  /** A cluster under fire may take its time. */
  private static final Duration SERVED_MAX = Duration.ofSeconds(60);

  /** Messages that only the home, the member or the operator may send. */
  private static final Set<Class<? extends Message>> AUTHORITATIVE =
      Set.of(
          Journals.Append.class,
          Journals.Trim.class,
          Data.Kill.class,
          Data.KillCopies.class,
          Data.SessionOver.class,
          Data.PiecesGivenUp.class,
          Data.Replicate.class,
          Data.Confirm.class,
          Maps.Init.class,
          Maps.MemberComplete.class,
          Maps.MemberFailed.class,
          Maps.MemberSlow.class,
          Maps.TreesDrained.class,
          Maps.SeatReport.class);

  private static final int BEGIN_ONE_IN = 20;
  private static final int SESSION_MESSAGES = 5000;
  private static final List<Class<? extends Message>> OPS =
      MessageTypes.all().stream().filter(Names.Op.class::isAssignableFrom).toList();

  /** Where the names of an instance are decided. */
  private record Target(String address, Group group, int instance) {}

  private final SplittableRandom random;
  private final LiveValues clientValues = new LiveValues();
  private final LiveValues seatValues = new LiveValues();
  private final MessageMaker asClient;
  private final MessageMaker asSeat;
  private final List<CapturedTraffic.Sent> captured;
  private final List<Target> targets = new ArrayList<>();
  private final Map<String, List<Class<? extends Message>>> usual = new TreeMap<>();
  private final Map<String, Integer> byType = new TreeMap<>();
  private final Map<String, Integer> answers = new ConcurrentSkipListMap<>();
  private final byte[] value = new byte[100_000];
  private long messages;

  public ClusterFuzz(long seed) {
    random = new SplittableRandom(seed);
    asClient = new MessageMaker(random.split(), clientValues);
    asSeat = new MessageMaker(random.split(), seatValues);
    captured = CapturedTraffic.of(seed, CAPTURED_OPERATIONS);
    Arrays.fill(value, (byte) 7);
  }

  /** Fuzzes for a time. */
  public Result run(long nanos) throws IOException, StartFailed {
    try (EmbeddedCluster cluster =
        EmbeddedCluster.builder()
            .servers(SERVERS)
            .segmentBytes(1 << 20)
            .budget(48 << 20, 48 << 20)
            .unixSockets(false)
            .start()) {
      String failure = fuzz(cluster, nanos);
      if (failure == null) failure = restart(cluster);
      return new Result(messages, byType, new TreeMap<>(answers), failure);
    }
  }

  private @Nullable String fuzz(EmbeddedCluster cluster, long nanos) throws IOException {
    long startNanos = System.nanoTime();
    try (Forebay client = Forebay.connect(cluster.uri())) {
      client.pairs().put(WITNESS, value);
    }
    makeInstances(cluster);
    gather(cluster);
    List<Peer> peers = new ArrayList<>();
    try {
      while (System.nanoTime() - startNanos < nanos) {
        if (peers.isEmpty() || random.nextInt(200) == 0) reconnect(cluster, peers);
        step(peers);
        if (messages % CHECK_MESSAGES != 0) continue;
        String failure = check(cluster);
        if (failure != null) return failure;
      }
    } catch (IOException e) {
      // A process that crashed on a message accepts no connections.
      String failure = cluster.failure();
      if (failure == null) throw e;
      return failure;
    } finally {
      peers.forEach(Peer::close);
    }
    return check(cluster);
  }

  /** 1: an instance of each kind, for the fuzzer alone. */
  private void makeInstances(EmbeddedCluster cluster) throws IOException {
    try (Cluster admin = Cluster.connect(cluster.uri(""))) {
      InstanceOptions options = InstanceOptions.defaults().withCopies(2);
      admin.createInstance("fuzz-shared", options);
      admin.createInstance("fuzz-private", options.withAccess(Instance.Access.PRIVATE));
    }
  }

  /** 1: the state of this cluster now. */
  private void gather(EmbeddedCluster cluster) throws IOException {
    RingMap map;
    try (Cluster admin = Cluster.connect(cluster.uri(""))) {
      map = admin.map();
    }
    targets.clear();
    for (Instance instance : map.instances()) {
      Group root = map.group(instance.rootGroup());
      SeatEntry home = root == null ? null : map.seat(root.home());
      if (root == null || home == null || !instance.name().startsWith("fuzz")) continue;
      for (String address : home.addresses()) {
        targets.add(new Target(address, root, instance.id()));
      }
    }
    for (LiveValues values : List.of(clientValues, seatValues)) {
      for (String name : List.of("group", "epoch", "instance")) values.clear(name);
      for (Group group : map.groups()) {
        values.add("group", group.id());
        values.add("epoch", group.epoch());
      }
      for (Instance instance : map.instances()) {
        if (instance.name().startsWith("fuzz")) values.add("instance", instance.id());
      }
      for (long session = 1; session <= SESSIONS; session++) values.add("session", session);
      values.add("tree", 0);
      values.add("file", Names.ROOT);
      values.add("who", Identity.root());
      values.add("ringEpoch", map.epoch());
      for (SeatEntry seat : map.seats()) values.add("seat", seat.id());
    }
  }

  private FuzzPeer dial(Address.Inet at, Handshake.Role role, boolean deaf) throws IOException {
    Handshake.Lane lane = random.nextBoolean() ? Handshake.Lane.CONTROL : Handshake.Lane.INGEST;
    Handshake.Hello hello = Handshake.Hello.of(role, lane, 0, "fuzz", random.nextInt(5));
    LiveValues values = role == Handshake.Role.CLIENT ? clientValues : seatValues;
    return new FuzzPeer(at, hello, values, answers, deaf);
  }

  private void reconnect(EmbeddedCluster cluster, List<Peer> peers) throws IOException {
    peers.removeIf(peer -> peer.connection.isOver());
    while (peers.size() >= PEERS_MAX) peers.remove(random.nextInt(peers.size())).close();
    for (Handshake.Role role : List.of(Handshake.Role.CLIENT, Handshake.Role.SEAT)) {
      boolean toManager = random.nextInt(4) == 0;
      Address at =
          toManager
              ? cluster.managerAddress()
              : cluster.addresses(random.nextInt(SERVERS)).getFirst();
      boolean deaf = random.nextInt(DEAF_ONE_IN) == 0;
      FuzzPeer dialled = dial((Address.Inet) at, role, deaf);
      peers.add(new Peer(dialled, role, toManager, at.toString()));
    }
    gather(cluster);
  }

  /** A connection, its declared role, and its target. */
  private record Peer(FuzzPeer connection, Handshake.Role role, boolean toManager, String address)
      implements AutoCloseable {
    @Override
    public void close() {
      connection.close();
    }
  }

  /** 2: sends one message. */
  private void step(List<Peer> peers) {
    Peer peer = peers.get(random.nextInt(peers.size()));
    Message message = peer.role == Handshake.Role.CLIENT ? fromClient(peer) : fromSeat(peer);
    messages++;
    byType.merge(message.getClass().getSimpleName(), 1, Integer::sum);
    try {
      if (random.nextInt(DAMAGED_ONE_IN) == 0) {
        byte[] noise = new byte[1 + random.nextInt(100)];
        random.nextBytes(noise);
        peer.connection.sendBytes(noise);
      } else {
        sendWhole(peer, message);
      }
    } catch (IOException closed) {
      // The server has closed this connection; others follow.
      peers.remove(peer);
      peer.close();
    }
  }

  private void sendWhole(Peer peer, Message message) throws IOException {
    boolean hasPayload = message instanceof Data.Put || message instanceof Data.Replicate;
    if (random.nextInt(50) == 0) hasPayload = !hasPayload;
    byte[] payload = new byte[hasPayload ? random.nextInt(PAYLOAD_BYTES_MAX) : 0];
    Message sent = message;
    if (message instanceof Data.Put put && random.nextInt(4) > 0) {
      Checksums right = Checksums.of(BlockChecksums.of(ByteBuffer.wrap(payload)));
      long secret = random.nextInt(SESSIONS);
      RecordId record = new RecordId(SessionSecret.sessionOf(secret), put.record().sequence());
      sent =
          new Data.Put(
              put.group(), put.epoch(), record, put.file(), put.offset(), false, secret, right);
    }
    peer.connection.send(random.nextInt(1000), sent, payload, hasPayload);
  }

  /** As a client it mostly sends changes of names, to the home of the tree. */
  private Message fromClient(Peer peer) {
    List<Target> here =
        targets.stream().filter(target -> target.address.equals(peer.address)).toList();
    if (here.isEmpty() || random.nextInt(4) == 0) {
      return chosen(peer, CapturedTraffic.Host.CLIENT, asClient);
    }
    Target target = here.get(random.nextInt(here.size()));
    Names.Op op =
        random.nextInt(BEGIN_ONE_IN) == 0
            ? new Names.BeginSession("node-" + random.nextInt(3), 60_000_000_000L)
            : (Names.Op) asClient.make(OPS.get(random.nextInt(OPS.size())));
    // An ended session is of no more use, so few of them are ended.
    if (op instanceof Names.EndSession && random.nextInt(10) > 0) op = new Names.KeepAlive();
    // So that ended sessions are replaced by others.
    long sessions = messages / SESSION_MESSAGES * SESSIONS;
    return new Names.Request(
        target.group.id(),
        target.group.epoch(),
        target.instance,
        random.nextInt(10) == 0 ? random.nextInt(4) : 0,
        sessions + 1 + random.nextInt(SESSIONS),
        random.nextInt(3) == 0 ? 0 : messages + 1,
        random.nextInt(100) == 0 ? random.nextLong() : messages - 1000,
        0,
        true,
        Identity.root(),
        op);
  }

  /** As a seat it sends no messages that only the home, the member or the operator may send. */
  private Message fromSeat(Peer peer) {
    while (true) {
      Message message = chosen(peer, CapturedTraffic.Host.SEAT, asSeat);
      if (!AUTHORITATIVE.contains(message.getClass())) return message;
    }
  }

  private Message chosen(Peer peer, CapturedTraffic.Host from, MessageMaker maker) {
    CapturedTraffic.Host to =
        peer.toManager ? CapturedTraffic.Host.MANAGER : CapturedTraffic.Host.SEAT;
    while (true) {
      Message message;
      int choice = random.nextInt(10);
      if (choice == 0) {
        List<Class<? extends Message>> all = MessageTypes.all();
        message = maker.make(all.get(random.nextInt(all.size())));
      } else if (choice < 4) {
        List<Class<? extends Message>> usual = usualTypes(from, to);
        message = maker.make(usual.get(random.nextInt(usual.size())));
      } else {
        CapturedTraffic.Sent sent = captured.get(random.nextInt(captured.size()));
        if (sent.from() != from || sent.to() != to) continue;
        message = maker.mutate(sent.message());
      }
      // A server that leaves on request has not failed.
      boolean ordered = message instanceof Maps.Leave;
      // A second greeting only ends the connection.
      boolean greets = message instanceof Handshake.Hello || message instanceof Handshake.Answer;
      if (!ordered && (!greets || random.nextInt(10) == 0)) return message;
    }
  }

  /** The types of messages that one role sends to another in the captured traffic. */
  private List<Class<? extends Message>> usualTypes(
      CapturedTraffic.Host from, CapturedTraffic.Host to) {
    return usual.computeIfAbsent(
        from + " to " + to,
        key ->
            captured.stream()
                .filter(sent -> sent.from() == from && sent.to() == to)
                .<Class<? extends Message>>map(sent -> sent.message().getClass())
                .distinct()
                .toList());
  }

  /** 3: nothing has failed, and a client is served. */
  private @Nullable String check(EmbeddedCluster cluster) {
    String failure = cluster.failure();
    if (failure != null) return failure;
    ForebayOptions options = ForebayOptions.defaults().withTimeout(SERVED_MAX);
    try (Forebay client = Forebay.connect(cluster.uri(), options)) {
      if (!Arrays.equals(client.pairs().get(WITNESS), value)) return "the witness has changed";
      client.pairs().put("checked", value);
      return cluster.failure();
    } catch (IOException e) {
      return "a client is not served any more: " + e.getMessage();
    }
  }

  /** 4: each home is taken over, and each journal read again. */
  private @Nullable String restart(EmbeddedCluster cluster) throws StartFailed, IOException {
    for (int server = 0; server < SERVERS; server++) {
      cluster.stop(server);
      cluster.start(server);
      String failure = check(cluster);
      if (failure != null) return "after server " + (server + 1) + " started again: " + failure;
    }
    return null;
  }
}
