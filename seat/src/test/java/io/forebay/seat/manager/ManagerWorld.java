// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.manager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.forebay.base.Timers;
import io.forebay.base.fields.MalformedFields;
import io.forebay.ring.RingMap;
import io.forebay.ring.RingMapCodec;
import io.forebay.seat.audit.AuditEvent;
import io.forebay.seat.consensus.Consensus;
import io.forebay.seat.consensus.SimulatedLog;
import io.forebay.seat.manager.access.Admission;
import io.forebay.seat.manager.access.CredentialCheck;
import io.forebay.seat.manager.access.UserDirectory;
import io.forebay.seat.manager.certificate.Signer;
import io.forebay.seat.manager.desk.ManagerConfig;
import io.forebay.seat.manager.desk.ManagerEvents;
import io.forebay.seat.manager.state.Offers;
import io.forebay.wire.Address;
import io.forebay.wire.Connection;
import io.forebay.wire.Handler;
import io.forebay.wire.Landing;
import io.forebay.wire.memory.MemoryNetwork;
import io.forebay.wire.memory.MemoryOptions;
import io.forebay.wire.message.Access;
import io.forebay.wire.message.Handshake;
import io.forebay.wire.message.Identity;
import io.forebay.wire.message.Maps;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Replies;
import io.forebay.wire.proof.PeerCertificate;
import io.forebay.wire.proof.PeerProof;
import io.forebay.wire.proof.Trust;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A manager on a simulated log and network, and peers that talk to it. */
final class ManagerWorld implements ManagerEvents {
  static final long STEP_NANOS = 1_000_000;
  static final long SECOND = 1_000_000_000;
  private static final int STEPS_MAX = 20_000;
  private static final String HOST = "manager";
  private static final Address ADDRESS = new Address.Inet("10.0.0.100", 7070);

  /** One that has dialled the manager and writes down what it hears. */
  final class Peer implements Handler {
    final Map<Long, Message> answers = new TreeMap<>();
    final List<Maps.MapIs> pushed = new ArrayList<>();
    final List<Access.TrustIs> trust = new ArrayList<>();
    final List<String> leaders = new ArrayList<>();
    @Nullable Connection connection;
    @Nullable String closedBecause;
    boolean saysThatItLeads;
    private long requests;

    @Override
    public void opened(Connection opened) {
      connection = opened;
    }

    @Override
    public void received(Connection from, long request, Message message) {
      if (message instanceof Maps.MapIs map && request == 0) pushed.add(map);
      else if (message instanceof Access.TrustIs told && request == 0) trust.add(told);
      else if (message instanceof Maps.ManagersAre told && request == 0) {
        saysThatItLeads = told.leads();
        if (!told.leader().isEmpty()) leaders.add(told.leader());
      } else if (request != 0)
        assertThat(answers.put(request, message)).as("second answer").isNull();
    }

    @Override
    public Landing arriving(Connection from, long request, Message message, int payloadBytes) {
      return Landing.DISCARD;
    }

    @Override
    public void closed(Connection over, String reason) {
      closedBecause = reason;
    }

    long send(Message message) {
      connection.send(++requests, message);
      return requests;
    }

    Message ask(Message message) {
      long request = send(message);
      until(() -> answers.containsKey(request), "an answer to " + message);
      return answers.get(request);
    }

    String refusal(Message message) {
      return ((Replies.Failed) ask(message)).detail();
    }

    @Nullable Message answer(long request) {
      return answers.get(request);
    }
  }

  final SimulatedLog log;
  final List<String> told = new ArrayList<>();
  final List<String> warned = new ArrayList<>();
  final List<AuditEvent> audited = new ArrayList<>();
  ManagerConfig config;
  Manager manager;
  private final UnaryOperator<Consensus> agreement;
  private final Trust trust;
  private final Signer signer;
  private final SplittableRandom random;
  private final MemoryNetwork network;
  private final Timers networkTimers;
  private Timers timers;
  private SimulatedLog.Life life;
  private long now;
  long wallSeconds = 1_000_000;
  private int peers;

  /** Tests may replace them. */
  UserDirectory users = UserDirectory.PROVED;

  CredentialCheck credentials = CredentialCheck.NONE;

  ManagerWorld(long seed, ManagerConfig config) throws Exception {
    this(seed, config, Trust.ofProofs(Identity.ROOT), Signer.NONE);
  }

  ManagerWorld(long seed, ManagerConfig config, Trust trust, Signer signer) throws Exception {
    this(seed, config, trust, signer, alone -> alone);
  }

  /** One whose manager is one of several, which the test plays. */
  static ManagerWorld ofGroup(long seed, ManagerConfig config, PlayedGroup group) throws Exception {
    return new ManagerWorld(
        seed, config, Trust.ofProofs(Identity.ROOT), Signer.NONE, group::around);
  }

  private ManagerWorld(
      long seed,
      ManagerConfig config,
      Trust trust,
      Signer signer,
      UnaryOperator<Consensus> agreement)
      throws Exception {
    this.agreement = agreement;
    this.trust = trust;
    this.signer = signer;
    this.random = new SplittableRandom(seed);
    this.log = new SimulatedLog(random.split());
    this.config = config;
    this.networkTimers = new Timers(() -> now);
    this.network = new MemoryNetwork(networkTimers, random.split(), MemoryOptions.PERFECT);
    start();
  }

  void start() throws Exception {
    timers = new Timers(() -> now);
    life = log.open(() -> now, timers);
    manager =
        new Manager(
            config,
            new Manager.Environment(
                timers, network.at(HOST), agreement.apply(life.consensus()), random.split(), this),
            () -> wallSeconds * SECOND,
            new Admission(
                trust,
                random.split(),
                signer,
                (proved, answer) -> users.find(proved, answer),
                (credential, answer) -> credentials.check(credential, answer)));
    manager.start(ADDRESS);
  }

  void kill() {
    network.kill(HOST);
    log.ssd.killProcess();
  }

  void cutPower() {
    network.kill(HOST);
    log.ssd.powerCut();
  }

  /** A client that proves something else than to be root. */
  Peer as(PeerProof proof) {
    network.prove("peer" + peers, proof);
    Peer peer = dial(Handshake.Role.CLIENT, 0);
    assertThat(peer.connection).isNotNull();
    return peer;
  }

  /** The manager shows a certificate from now on. */
  void certify(String name) {
    PeerCertificate certificate = new PeerCertificate("CN=" + name, List.of("urn:" + name));
    network.prove(HOST, new PeerProof(certificate, null));
  }

  /** The manager is without TLS from now on. */
  void uncertify() {
    network.prove(HOST, PeerProof.local(Identity.root()));
  }

  Peer dial(Handshake.Role role, long cluster) {
    Peer peer = new Peer();
    String host = "peer" + peers++;
    network
        .at(host)
        .connect(
            ADDRESS, Handshake.Hello.of(role, Handshake.Lane.CONTROL, cluster, host, peers), peer);
    until(() -> peer.connection != null || peer.closedBecause != null, "a handshake");
    return peer;
  }

  /** Dials until the manager takes part. */
  Peer seat() {
    return connected(Handshake.Role.SEAT);
  }

  Peer client() {
    return connected(Handshake.Role.CLIENT);
  }

  /** A client that has proved nothing. */
  Peer stranger() {
    for (int i = 0; i < 1000; i++) {
      network.prove("peer" + peers, PeerProof.NONE);
      Peer peer = dial(Handshake.Role.CLIENT, 0);
      if (peer.connection != null) return peer;
    }
    return fail("the manager takes no stranger");
  }

  private Peer connected(Handshake.Role role) {
    for (int i = 0; i < 1000; i++) {
      Peer peer = dial(role, 0);
      if (peer.connection != null) return peer;
    }
    return fail("the manager takes nobody");
  }

  /** Seats that form a ring, and the peers they are. */
  List<Peer> form(int servers, int seatsEach) {
    List<Peer> seats = new ArrayList<>();
    List<Long> requests = new ArrayList<>();
    for (int server = 1; server <= servers; server++) {
      for (int seat = 1; seat <= seatsEach; seat++) {
        Peer peer = seat();
        requests.add(peer.send(Offers.init(server, seat, seatsEach)));
        seats.add(peer);
      }
    }
    until(() -> answered(seats, requests), "the map");
    return seats;
  }

  private static boolean answered(List<Peer> peers, List<Long> requests) {
    for (int i = 0; i < peers.size(); i++) {
      if (peers.get(i).answer(requests.get(i)) == null) return false;
    }
    return true;
  }

  void step() {
    now += STEP_NANOS;
    life.consensus().poll();
    timers.runDue();
    networkTimers.runDue();
  }

  void pass(long nanos) {
    for (long passed = 0; passed < nanos; passed += STEP_NANOS) step();
  }

  void until(BooleanSupplier condition, String what) {
    for (int i = 0; i < STEPS_MAX; i++) {
      if (condition.getAsBoolean()) return;
      step();
    }
    fail("waited in vain for " + what + "; warned: " + warned);
  }

  long now() {
    return now;
  }

  static RingMap map(Message message) {
    try {
      return RingMapCodec.read(((Maps.MapIs) message).map());
    } catch (MalformedFields e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public void told(String sentence) {
    told.add(sentence);
  }

  @Override
  public void warned(String sentence) {
    warned.add(sentence);
  }

  @Override
  public void audited(AuditEvent event) {
    audited.add(event);
  }
}
