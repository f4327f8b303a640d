// SPDX-License-Identifier: Apache-2.0

package io.forebay.wire.tcp;

import io.forebay.base.MonotonicClock;
import io.forebay.wire.Address;
import io.forebay.wire.Connection;
import io.forebay.wire.ConnectionBounds;
import io.forebay.wire.Handler;
import io.forebay.wire.Limit;
import io.forebay.wire.LimitCounts;
import io.forebay.wire.LogPace;
import io.forebay.wire.Network;
import io.forebay.wire.WireLimits;
import io.forebay.wire.buffer.BufferPool;
import io.forebay.wire.frame.Frames;
import io.forebay.wire.message.Handshake;
import io.forebay.wire.proof.PeerCertificate;
import io.forebay.wire.proof.Trust;
import io.forebay.wire.tls.Link;
import io.forebay.wire.tls.RevokedSerials;
import io.forebay.wire.tls.TlsBuffers;
import io.forebay.wire.tls.TlsFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketOption;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.file.InvalidPathException;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import jdk.net.ExtendedSocketOptions;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The network on real sockets. Its owner calls {@link #poll} again and again from one thread; that
 * thread alone may call everything else, except {@link #wakeUp}. All callbacks come from within
 * {@link #poll} (and {@link #close}).
 *
 * <p>Messages are queued, so that many small ones share a write. A connection's own answers leave
 * after its turn; all others after the turns of all connections, or earlier if the queue is long.
 */
public final class TcpLoop implements Network, AutoCloseable {
  /** Called when a socket is ready. */
  interface Ready {
    void ready(SelectionKey key);
  }

  /**
   * A queue of this size does not wait for the other connections' turns: it is worth a write of its
   * own.
   */
  private static final long FLUSH_BYTES = 256 * 1024;

  /**
   * Queued bytes for a peer on the same machine stay in the processor's caches up to this size. The
   * kernel lets the buffers of loopback connections grow longer, and gives Unix sockets less, which
   * costs more calls.
   */
  private static final int LOCAL_SEND_BYTES = 512 * 1024;

  private static final int KEEPALIVE_IDLE_SECONDS = 20;
  private static final int KEEPALIVE_INTERVAL_SECONDS = 5;
  private static final int KEEPALIVE_COUNT = 3;

  /** How often time limits are checked. */
  private static final long WATCH_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** After a pause of this length the loop cannot tell which end was slow. */
  private static final long AWAY_NANOS = TimeUnit.SECONDS.toNanos(5);

  private static final Logger LOG = LoggerFactory.getLogger(TcpLoop.class);

  private final MonotonicClock clock;
  private final Selector selector;
  private final Frames frames = new Frames();
  private final BufferPool pool = new BufferPool(Intake.BUFFERS);
  private final LimitCounts limits = new LimitCounts();
  private final LogPace pace;
  private final Links links;
  private final Queue<Runnable> fromOthers = new ConcurrentLinkedQueue<>();
  private final Errands errands = new Errands();
  private final HostNames hostNames;
  private final Set<TcpConnection> connections = new LinkedHashSet<>();
  private ConnectionBounds bounds;
  private final ConnectionLimits crowd;
  private final Set<TcpListener> listeners = new LinkedHashSet<>();

  /** The addresses of hosts at which listeners bind. */
  private final Map<String, InetAddress> bound = new HashMap<>();

  /** Told outside of the call that caused it. */
  private final ArrayDeque<Runnable> later = new ArrayDeque<>();

  /** Have something to send. */
  private final ArrayDeque<TcpConnection> dirty = new ArrayDeque<>();

  /** Have something to work off that was read already. */
  private final ArrayDeque<TcpConnection> again = new ArrayDeque<>();

  private final List<SelectionKey> ready = new ArrayList<>();
  private final Consumer<SelectionKey> collect = ready::add;
  private long unflushedBytes;

  /** Bytes queued for clients, and received parts of their long messages. */
  private long answerBytes;

  private long bodyBytes;
  private long watchedNanos;
  private PeerUsers peerUsers = PeerUsers.NONE;
  private Trust trust = Trust.OPEN;
  private @Nullable Thread owner;
  private boolean closed;

  /** Waits, or is about to. */
  private volatile boolean asleep;

  /** Shall not wait the next time. */
  private volatile boolean woken;

  /** A loop without TLS. */
  public TcpLoop(MonotonicClock clock) throws IOException {
    this(clock, null);
  }

  /**
   * A loop whose TCP connections use TLS; those through Unix sockets are plain.
   *
   * @param tls null for none
   */
  public TcpLoop(MonotonicClock clock, @Nullable TlsFiles tls) throws IOException {
    this(clock, new Links(tls, new TlsBuffers()), ConnectionBounds.DEFAULT);
  }

  /** The same with buffers of other kinds, for measurements. */
  public TcpLoop(MonotonicClock clock, TlsFiles tls, TlsBuffers buffers) throws IOException {
    this(clock, new Links(tls, buffers), ConnectionBounds.DEFAULT);
  }

  TcpLoop(MonotonicClock clock, Links links, ConnectionBounds bounds) throws IOException {
    this.clock = clock;
    this.links = links;
    this.pace = new LogPace(clock);
    this.bounds = bounds;
    this.crowd = new ConnectionLimits(bounds, limits, pace);
    this.selector = Selector.open();
    this.watchedNanos = clock.nanos();
    this.hostNames =
        new HostNames(
            errands,
            action -> {
              fromOthers.add(action);
              wakeUp();
            });
  }

  /** Sets what tells the users at the other ends of sockets; before the first {@link #poll}. */
  public void tellPeersBy(PeerUsers users) {
    peerUsers = users;
  }

  /** Sets what is believed of peers that say they are seats; before the first {@link #poll}. */
  public void believe(Trust believed) {
    trust = believed;
  }

  /**
   * Waits for events and handles them.
   *
   * @param timeoutNanos waits at most this long, in whole milliseconds; not at all if 0
   * @return whether anything happened
   */
  public boolean poll(long timeoutNanos) {
    if (closed) return false;
    if (owner == null) owner = Thread.currentThread();
    checkOwner();
    links.turn();
    boolean worked = runLater();
    flush();
    select(later.isEmpty() && again.isEmpty() && dirty.isEmpty() ? timeoutNanos : 0);
    worked |= handleReady();
    worked |= goOn();
    worked |= takeFromOthers();
    watch();
    worked |= runLater();
    flush();
    return worked;
  }

  /** Lets {@link #poll} return soon, or not wait at all if it is not waiting. Any thread. */
  public void wakeUp() {
    // A working loop need not be woken, which would take two system calls: it checks its queue
    // before it waits.
    if (woken) return;
    woken = true;
    if (asleep) selector.wakeup();
  }

  private void select(long timeoutNanos) {
    ready.clear();
    try {
      asleep = timeoutNanos > 0;
      // In this order: a thread that submits work in between sees that this loop is asleep.
      if (!asleep || woken) {
        selector.selectNow(collect);
        return;
      }
      // Only connections have time limits to check.
      long nanos = connections.isEmpty() ? timeoutNanos : Math.min(timeoutNanos, WATCH_NANOS);
      long millis = TimeUnit.NANOSECONDS.toMillis(nanos - 1) + 1;
      selector.select(collect, millis);
    } catch (IOException e) {
      throw new UncheckedIOException("the selector failed", e);
    } finally {
      asleep = false;
      // Work that was submitted earlier is found after this.
      woken = false;
    }
  }

  private boolean handleReady() {
    for (int i = 0; i < ready.size(); i++) {
      SelectionKey key = ready.get(i);
      if (key.isValid()) ((Ready) key.attachment()).ready(key);
      if (unflushedBytes >= FLUSH_BYTES) flush();
    }
    return !ready.isEmpty();
  }

  private boolean goOn() {
    int count = again.size();
    for (int i = 0; i < count; i++) again.remove().goOn();
    return count > 0;
  }

  private boolean takeFromOthers() {
    boolean any = false;
    while (true) {
      Runnable action = fromOthers.poll();
      if (action == null) return any;
      action.run();
      any = true;
    }
  }

  private boolean runLater() {
    int count = later.size();
    for (int i = 0; i < count; i++) later.remove().run();
    return count > 0;
  }

  private void flush() {
    unflushedBytes = 0;
    int count = dirty.size();
    for (int i = 0; i < count; i++) dirty.remove().flushDirty();
  }

  private void watch() {
    long now = clock.nanos();
    if (now - watchedNanos < WATCH_NANOS) return;
    boolean away = now - watchedNanos > AWAY_NANOS;
    watchedNanos = now;
    for (TcpConnection connection : List.copyOf(connections)) connection.watch(now, away);
    crowd.watch(now);
    for (TcpListener listener : listeners) listener.watch();
    endUnproved();
    links.refresh(errands);
  }

  /**
   * A certificate may be revoked or expire while its connections are open. Revocations name only
   * certificates that are valid, so an older connection would outlast them.
   */
  private void endUnproved() {
    RevokedSerials revoked = links.revoked();
    if (revoked == null) return;
    long nowSeconds = Instant.now().getEpochSecond();
    for (TcpConnection connection : List.copyOf(connections)) {
      PeerCertificate certificate = connection.peer().certificate();
      if (revoked.refuses(certificate)) {
        connection.end("the certificate of " + connection.remote() + " is revoked");
      } else if (certificate.expirySeconds() < nowSeconds) {
        connection.end("the certificate of " + connection.remote() + " has expired since");
      }
    }
  }

  @Override
  public Connection connect(Address to, Handshake.Hello hello, Handler handler) {
    checkOwner();
    String remote = to.toString();
    TcpConnection connection;
    try {
      connection = TcpConnection.dialling(this, line(to), hello, handler);
    } catch (IOException e) {
      Line none = new Line(remote);
      connection = TcpConnection.dialling(this, none, hello, handler);
      connection.end(Reasons.notConnected(remote, e));
      return connection;
    }
    if (closed) {
      // A handler that redials when a connection ends would loop forever.
      connection.endQuietly();
      return connection;
    }
    connections.add(connection);
    dial(connection, to);
    return connection;
  }

  private void dial(TcpConnection connection, Address to) {
    if (to instanceof Address.Inet inet) {
      hostNames.find(
          inet.host(),
          found -> {
            if (found == null) {
              connection.fail(Reasons.unknownHost(to.toString(), inet.host()));
            } else {
              connection.dial(new InetSocketAddress(found, inet.port()));
            }
          });
      return;
    }
    try {
      connection.dial(UnixDomainSocketAddress.of(((Address.Unix) to).path()));
    } catch (InvalidPathException e) {
      connection.fail("cannot connect to " + to + ": " + e.getMessage());
    }
  }

  private Line line(Address to) throws IOException {
    SocketChannel channel = open(to);
    try {
      return new Line(channel, links.dialling(channel, to), to.toString(), null);
    } catch (IOException e) {
      channel.close();
      throw e;
    }
  }

  private static SocketChannel open(Address to) throws IOException {
    boolean inet = to instanceof Address.Inet;
    SocketChannel channel =
        inet ? SocketChannel.open() : SocketChannel.open(StandardProtocolFamily.UNIX);
    try {
      prepare(channel, inet);
      return channel;
    } catch (IOException e) {
      channel.close();
      throw e;
    }
  }

  private static void prepare(SocketChannel channel, boolean inet) throws IOException {
    channel.configureBlocking(false);
    if (inet) {
      // The kernel sizes the buffers by what the path needs.
      channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
      watchPeer(channel);
    } else {
      shortenBuffer(channel);
    }
  }

  /** For peers on the same machine. */
  static void shortenBuffer(SocketChannel channel) throws IOException {
    channel.setOption(StandardSocketOptions.SO_SNDBUF, LOCAL_SEND_BYTES);
  }

  /** Lets the kernel find out that a silent peer's machine is gone, where it can. */
  private static void watchPeer(SocketChannel channel) throws IOException {
    Set<SocketOption<?>> options = channel.supportedOptions();
    if (!options.contains(ExtendedSocketOptions.TCP_KEEPIDLE)) return;
    channel.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
    channel.setOption(ExtendedSocketOptions.TCP_KEEPIDLE, KEEPALIVE_IDLE_SECONDS);
    channel.setOption(ExtendedSocketOptions.TCP_KEEPINTERVAL, KEEPALIVE_INTERVAL_SECONDS);
    channel.setOption(ExtendedSocketOptions.TCP_KEEPCOUNT, KEEPALIVE_COUNT);
  }

  /** Sets how many connections are accepted; before the first {@link #poll}. */
  public void limitTo(ConnectionBounds newBounds) {
    bounds = newBounds;
    crowd.limitTo(newBounds);
  }

  /**
   * Lets listeners at this host bind to this address, which was checked, whatever the name leads to
   * later.
   */
  public void bind(String host, InetAddress checked) {
    bound.put(host, checked);
  }

  /** The address at which a listener of this host binds. */
  InetAddress boundAddress(String host) throws IOException {
    InetAddress checked = bound.get(host);
    return checked == null ? InetAddress.getByName(host) : checked;
  }

  @Override
  public Listener listen(Address at, Door door, Handler handler) throws IOException {
    TcpListener listener = new TcpListener(this, at, door, handler);
    listeners.add(listener);
    return listener;
  }

  /** Takes a connection in. */
  void accepted(SocketChannel channel, Address at, Door door, Handler handler) {
    try {
      prepare(channel, at instanceof Address.Inet);
      FirstBytes first = new FirstBytes(channel, bounds.handshakeBytes(), limits);
      Link link = links.accepted(channel, first, at);
      Line line = new Line(channel, link, remoteOf(channel, at), first);
      TcpConnection connection = TcpConnection.accepted(this, line, door, handler);
      if (!crowd.arrived(connection, Source.of(channel.getRemoteAddress()))) {
        connection.endQuietly();
        return;
      }
      connections.add(connection);
      connection.receive();
    } catch (IOException e) {
      String why = at + " could not take a connection in: " + e.getMessage();
      pace.log("taking in", () -> why, LOG::warn);
      discard(channel);
    }
  }

  private static void discard(SocketChannel channel) {
    try {
      channel.close();
    } catch (IOException e) {
      LOG.debug("closing {}", channel, e);
    }
  }

  private static String remoteOf(SocketChannel channel, Address at) throws IOException {
    if (channel.getRemoteAddress() instanceof InetSocketAddress inet) {
      if (inet.getAddress().isLoopbackAddress()) shortenBuffer(channel);
      return new Address.Inet(inet.getAddress().getHostAddress(), inet.getPort()).toString();
    }
    return "a program at " + at;
  }

  /**
   * Closes all connections and listeners. Payloads are released, landings aborted and handlers
   * notified from within this call, since no {@link #poll} follows.
   */
  @Override
  public void close() {
    if (closed) return;
    closed = true;
    owner = null;
    for (TcpListener listener : List.copyOf(listeners)) listener.close();
    for (TcpConnection connection : List.copyOf(connections)) {
      connection.end("the network is closed");
    }
    while (!later.isEmpty()) runLater();
    errands.close();
    try {
      selector.close();
    } catch (IOException e) {
      LOG.warn("closing the selector", e);
    }
  }

  /** Calls from a wrong thread fail, so that tests find them. */
  void checkOwner() {
    assert owner == null || owner.equals(Thread.currentThread()) : "called from a foreign thread";
  }

  Selector selector() {
    return selector;
  }

  Frames frames() {
    return frames;
  }

  BufferPool pool() {
    return pool;
  }

  long nanos() {
    return clock.nanos();
  }

  void later(Runnable action) {
    later.add(action);
  }

  /** Has something to send when others have had their turn. */
  void dirty(TcpConnection connection) {
    dirty.add(connection);
  }

  void queued(long bytes) {
    unflushedBytes += bytes;
  }

  void again(TcpConnection connection) {
    again.add(connection);
  }

  void closed(TcpConnection connection) {
    connections.remove(connection);
    crowd.left(connection);
  }

  Links links() {
    return links;
  }

  PeerUsers peerUsers() {
    return peerUsers;
  }

  Trust trust() {
    return trust;
  }

  @Override
  public void refuseCertificates(Collection<Long> serials) {
    RevokedSerials revoked = links.revoked();
    if (revoked != null) revoked.set(serials);
  }

  @Override
  public LimitCounts limits() {
    return limits;
  }

  /** The pace of log lines that peers can cause. */
  LogPace pace() {
    return pace;
  }

  ConnectionLimits crowd() {
    return crowd;
  }

  /**
   * Counts queued answers to clients; negative when they were sent. Closes clients with too many
   * unread answers.
   */
  void answers(long bytes) {
    answerBytes += bytes;
    if (bytes <= 0 || answerBytes <= WireLimits.LOOP_ANSWER_BYTES_MAX) return;
    TcpConnection slowest = crowd.slowestReader();
    if (slowest != null) {
      limits.reached(Limit.ALL_UNREAD_ANSWERS);
      slowest.end(
          "it does not take its answers, "
              + slowest.answerBytes()
              + " bytes, and all"
              + " clients together may leave "
              + WireLimits.LOOP_ANSWER_BYTES_MAX);
    }
  }

  /** More, or less, of clients' long messages is here; whether that may be. */
  boolean bodies(long bytes) {
    if (bytes > 0 && bodyBytes + bytes > WireLimits.LOOP_BODY_BYTES_MAX) {
      limits.reached(Limit.PARTIAL_MESSAGES);
      return false;
    }
    bodyBytes += bytes;
    return true;
  }

  void closed(TcpListener listener) throws IOException {
    listeners.remove(listener);
    // The kernel keeps listening until the selector has released the socket. Ready sockets are
    // reported again by the next selection.
    selector.selectNow(key -> {});
  }
}
