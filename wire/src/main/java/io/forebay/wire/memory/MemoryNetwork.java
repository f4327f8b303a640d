// SPDX-License-Identifier: Apache-2.0

package io.forebay.wire.memory;

import io.forebay.base.Bytes;
import io.forebay.base.Timers;
import io.forebay.wire.Address;
import io.forebay.wire.Network;
import io.forebay.wire.authority.JoinToken;
import io.forebay.wire.frame.Frames;
import io.forebay.wire.message.Identity;
import io.forebay.wire.proof.PeerCertificate;
import io.forebay.wire.proof.PeerProof;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Hosts and the messages between them, in one thread. A message is encoded when it is sent and
 * decoded when it arrives, after a delay on the clock of the timers, never at once. Payloads are
 * copied when they land, a while after their destination was chosen. Besides the faults of {@link
 * MemoryOptions}, hosts can be killed, frozen, and partitioned.
 */
public final class MemoryNetwork {
  /** The place of a listener: Unix sockets are visible on their own host only. */
  private record Place(String host, Address address) {}

  /** One way between two hosts that is interrupted. */
  private record Way(String from, String to) {}

  private static final int FIRST_PORT = 40_000;

  /** All hosts are one machine, where everything runs as root. */
  private static final PeerProof USUAL_PROOF = PeerProof.local(Identity.root());

  private final Timers timers;
  private final RandomGenerator random;
  private final MemoryOptions options;
  private final MemoryTrace trace;
  private final Frames frames = new Frames();
  private final Map<String, MemoryHost> hosts = new LinkedHashMap<>();
  private final Map<Place, MemoryHost.MemoryListener> listeners = new LinkedHashMap<>();
  private final Set<MemoryConnection> connections = new LinkedHashSet<>();
  private final Set<Way> interrupted = new LinkedHashSet<>();

  /** The pending actions of frozen hosts. */
  private final Map<String, List<Runnable>> frozen = new LinkedHashMap<>();

  /** What hosts prove to others, where it is not the usual. */
  private final Map<String, PeerProof> proofs = new LinkedHashMap<>();

  private int nextPort = FIRST_PORT;
  private int damaged;

  public MemoryNetwork(
      Timers timers, RandomGenerator random, MemoryOptions options, MemoryTrace trace) {
    this.timers = timers;
    this.random = random;
    this.options = options;
    this.trace = trace;
  }

  /** One that keeps no trace. */
  public MemoryNetwork(Timers timers, RandomGenerator random, MemoryOptions options) {
    this(timers, random, options, (nanos, event, from, to, what, request) -> {});
  }

  /** The network as a host sees it; after {@link #kill} a new one, for the host's next life. */
  public Network at(String host) {
    return hosts.computeIfAbsent(host, name -> new MemoryHost(this, name));
  }

  /** Sets what a host proves to others from now on: usually, that its user is root. */
  public void prove(String host, PeerProof proof) {
    proofs.put(host, proof);
  }

  PeerProof proofOf(String host) {
    return proofs.getOrDefault(host, USUAL_PROOF);
  }

  /** The binding to a host that listens, by its certificate if it proves one. */
  public Bytes bindingOf(String host) {
    PeerCertificate shown = proofOf(host).certificate();
    if (!shown.isProven()) return Bytes.EMPTY;
    return JoinToken.sha256(shown.toString().getBytes(StandardCharsets.UTF_8));
  }

  /**
   * The host dies: its listeners and connections are gone, and none of its handlers and payloads is
   * called any more. Of its last messages only some arrive. The peers learn later that their
   * connections are closed.
   */
  public void kill(String host) {
    MemoryHost dead = hosts.remove(host);
    if (dead == null) return;
    trace(MemoryTrace.Event.KILLED, host, host, "", 0);
    dead.die();
    listeners.values().removeIf(listener -> listener.host() == dead);
    for (MemoryConnection connection : List.copyOf(connections)) {
      if (connection.host() == dead) connection.die();
    }
    thaw(host);
  }

  /** The host stops, like a stopped process; arriving messages wait for it. */
  public void freeze(String host) {
    frozen.computeIfAbsent(host, name -> new ArrayList<>());
  }

  /** The host continues, with all messages that have arrived during the pause, in order. */
  public void thaw(String host) {
    List<Runnable> waiting = frozen.remove(host);
    if (waiting == null) return;
    for (Runnable each : waiting) timers.after(0, () -> run(host, each));
  }

  /** Runs an action at a host, now or when it continues. */
  void run(String host, Runnable action) {
    List<Runnable> waiting = frozen.get(host);
    if (waiting == null) action.run();
    else waiting.add(action);
  }

  /**
   * Partitions two hosts: messages from the first to the second are lost without notice.
   *
   * @param oneWay whether messages from the second to the first still arrive
   */
  public void partition(String from, String to, boolean oneWay) {
    interrupted.add(new Way(from, to));
    if (!oneWay) interrupted.add(new Way(to, from));
  }

  /** Joins two hosts again, both ways. Connections that lost something end. */
  public void heal(String a, String b) {
    interrupted.remove(new Way(a, b));
    interrupted.remove(new Way(b, a));
    for (MemoryConnection connection : List.copyOf(connections)) connection.endIfLossy(a, b);
  }

  /** Joins all hosts again. */
  public void healAll() {
    for (Way way : List.copyOf(interrupted)) heal(way.from, way.to);
  }

  /** Whether messages from one host to another are lost. */
  public boolean isInterrupted(String from, String to) {
    return interrupted.contains(new Way(from, to));
  }

  void add(MemoryHost.MemoryListener listener) {
    listeners.put(placeOf(listener.host().name(), listener.address()), listener);
  }

  void remove(MemoryHost.MemoryListener listener) {
    listeners.remove(placeOf(listener.host().name(), listener.address()), listener);
  }

  MemoryHost.@Nullable MemoryListener listener(String fromHost, Address address) {
    return listeners.get(placeOf(fromHost, address));
  }

  private static Place placeOf(String host, Address address) {
    return new Place(address instanceof Address.Unix ? host : "", address);
  }

  /** Ends the connections of a host to peers whose certificates it accepts no more. */
  void endRefused(MemoryHost host) {
    for (MemoryConnection connection : List.copyOf(connections)) {
      if (connection.host() == host) connection.endIfRefused();
    }
  }

  int choosePort() {
    return nextPort++;
  }

  void add(MemoryConnection connection) {
    connections.add(connection);
  }

  void remove(MemoryConnection connection) {
    connections.remove(connection);
  }

  Frames frames() {
    return frames;
  }

  Timers timers() {
    return timers;
  }

  RandomGenerator random() {
    return random;
  }

  /** How long the next message takes. */
  long delayNanos() {
    return options.delayNanosMax() == options.delayNanosMin()
        ? options.delayNanosMin()
        : random.nextLong(options.delayNanosMin(), options.delayNanosMax() + 1);
  }

  /** How much longer a message takes that others may overtake; 0 for most. */
  long detourNanos() {
    if (!happens(options.reordering())) return 0;
    return 1 + random.nextLong(2 * options.delayNanosMax() + 1);
  }

  boolean duplicates() {
    return happens(options.duplication());
  }

  /** Perhaps turns one bit of a payload that has landed. */
  void maybeDamage(ByteBuffer payload) {
    if (!payload.hasRemaining() || !happens(options.damage())) return;
    int at = payload.position() + random.nextInt(payload.remaining());
    payload.put(at, (byte) (payload.get(at) ^ (1 << random.nextInt(Byte.SIZE))));
    damaged++;
  }

  /** How many payloads arrived damaged. */
  public int damaged() {
    return damaged;
  }

  private boolean happens(double probability) {
    return probability > 0 && random.nextDouble() < probability;
  }

  MemoryTrace trace() {
    return trace;
  }

  void trace(MemoryTrace.Event event, String from, String to, String what, long request) {
    trace.happened(timers.nanos(), event, from, to, what, request);
  }
}
