// SPDX-License-Identifier: Apache-2.0

package io.forebay.job.agent;

import io.forebay.job.service.Command;
import io.forebay.job.service.Command.Answer;
import io.forebay.job.service.Command.Call;
import io.forebay.wire.Limit;
import io.forebay.wire.LogPace;
import java.io.EOFException;
import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves commands on a Unix socket, each connection in a thread of its own. Every user of the
 * machine may connect; what a user may do is decided by what the kernel says about it. A client
 * that sends nothing, or reads nothing, is cut off.
 */
public final class AgentServer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(AgentServer.class);

  /** Users connect to the socket, and must not be able to replace it, whatever the umask. */
  private static final FileAttribute<?> DIRECTORY =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x"));

  /** Slurm has a thread for each job that is staged; more connections than that are refused. */
  static final int CONNECTIONS_MAX = Math.toIntExact(Limit.AGENT_CONNECTIONS.value());

  /** The part of them that one user may use; operators may use all. */
  static final int CONNECTIONS_PER_USER_MAX = 256;

  /** For a request to come in, and for an answer to go out. */
  static final long TRANSFER_SECONDS_MAX = 5;

  private static final long ACCEPT_AGAIN_MILLIS = 100;

  private final Path socket;
  private final ServerSocketChannel server;
  private final Map<String, Command> programs;
  private final Peers peers;
  private final Semaphore connections = new Semaphore(CONNECTIONS_MAX);
  private final CallerShares shares = new CallerShares(CONNECTIONS_PER_USER_MAX);
  private final LogPace pace = new LogPace(System::nanoTime);
  private final AtomicLong refused = new AtomicLong();
  private final AtomicLong served = new AtomicLong();
  private final Set<SocketChannel> open = ConcurrentHashMap.newKeySet();
  private final ScheduledExecutorService deadlines =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("agent-deadlines").factory());

  private AgentServer(
      Path socket, ServerSocketChannel server, Map<String, Command> programs, Peers peers) {
    this.socket = socket;
    this.server = server;
    this.programs = Map.copyOf(programs);
    this.peers = peers;
  }

  /**
   * Starts to serve.
   *
   * @param socket created, with its directory; one that a dead agent has left is replaced
   * @param programs the commands by their names
   * @param operators names of users that may act for others
   * @throws IOException with a sentence, if the socket cannot be had
   */
  public static AgentServer start(Path socket, Map<String, Command> programs, Set<String> operators)
      throws IOException {
    Path parent = socket.toAbsolutePath().getParent();
    if (parent != null) Files.createDirectories(parent, DIRECTORY);
    removeStale(socket);
    ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    try {
      server.bind(UnixDomainSocketAddress.of(socket));
      Files.setPosixFilePermissions(socket, PosixFilePermissions.fromString("rw-rw-rw-"));
    } catch (BindException e) {
      server.close();
      throw new IOException(
          "cannot listen on '%s' (%s); name another path with --socket"
              .formatted(socket, e.getMessage()),
          e);
    } catch (IOException e) {
      server.close();
      throw e;
    }
    AgentServer agent = new AgentServer(socket, server, programs, new Peers(operators));
    Thread.ofPlatform().name("agent-accept").start(agent::accept);
    return agent;
  }

  private static void removeStale(Path socket) throws IOException {
    if (!Files.exists(socket, LinkOption.NOFOLLOW_LINKS)) return;
    boolean isSocket =
        Files.readAttributes(socket, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
            .isOther();
    if (!isSocket || isAnswered(socket)) {
      throw new IOException(
          "'%s' is %s; name another path with --socket"
              .formatted(socket, isSocket ? "the socket of a running agent" : "not a socket"));
    }
    LOG.info("replaces the socket '{}' of an agent that has ended", socket);
    Files.delete(socket);
  }

  private static boolean isAnswered(Path socket) throws IOException {
    try {
      SocketChannel.open(UnixDomainSocketAddress.of(socket)).close();
      return true;
    } catch (ConnectException e) {
      return false;
    }
  }

  private void accept() {
    while (server.isOpen()) {
      try {
        SocketChannel channel = server.accept();
        if (connections.tryAcquire()) {
          Thread.ofVirtual().name("agent-call").start(() -> serveAndClose(channel));
        } else {
          try (channel) {
            refuse(channel, "the agent has too many callers; try again later");
          }
        }
      } catch (ClosedChannelException e) {
        LOG.debug("the agent's socket is closed");
      } catch (IOException e) {
        told("accept", "the agent cannot accept a connection on '" + socket + "': " + e);
        if (!pause()) return;
      }
    }
  }

  /** What callers can cause is logged at a pace. */
  private void told(String kind, String sentence) {
    synchronized (pace) {
      pace.log(kind, () -> sentence, LOG::warn);
    }
  }

  /** Such as until other connections have given back their file descriptors. */
  private static boolean pause() {
    try {
      TimeUnit.MILLISECONDS.sleep(ACCEPT_AGAIN_MILLIS);
      return true;
    } catch (InterruptedException e) {
      return false;
    }
  }

  /** How many calls were served since its start. */
  public long served() {
    return served.get();
  }

  /** The calls that are being served. */
  public int callers() {
    return open.size();
  }

  /** How many callers were refused since its start, because it or their user had too many. */
  public long refused() {
    return refused.get();
  }

  private void refuse(SocketChannel channel, String why) {
    refused.incrementAndGet();
    try {
      // A few bytes, which a new socket always takes.
      channel.write(frame(Answer.failed(why)));
    } catch (IOException e) {
      LOG.debug("a client that was to be refused has gone", e);
    }
  }

  private void serveAndClose(SocketChannel channel) {
    open.add(channel);
    try (channel) {
      // A connection that came while the agent closed is in no one else's list.
      if (server.isOpen()) serveShare(channel);
    } catch (EOFException | ClosedChannelException e) {
      LOG.debug("a client has gone", e);
    } catch (AgentFrames.Malformed e) {
      told("malformed", "refused " + e.getMessage());
    } catch (IOException e) {
      told("failed", "a connection failed: " + e);
    } finally {
      open.remove(channel);
      connections.release();
    }
  }

  /** Serves a caller, unless its user has all its connections. */
  private void serveShare(SocketChannel channel) throws IOException {
    String user = peers.userOf(channel);
    boolean counted = !peers.isOperator(user);
    if (counted && !shares.take(user)) {
      told("share", "user '%s' has too many connections to the agent".formatted(user));
      refuse(
          channel,
          "user '%s' has %d connections to the agent, the limit; try again later"
              .formatted(user, CONNECTIONS_PER_USER_MAX));
      return;
    }
    try {
      serve(channel);
    } finally {
      if (counted) shares.giveBack(user);
    }
  }

  private void serve(SocketChannel channel) throws IOException {
    Future<?> cut = cutLater(channel);
    AgentFrames.Request request = AgentFrames.readRequest(channel);
    Command.Caller caller = peers.caller(channel, request);
    cut.cancel(false);
    channel.configureBlocking(false);
    Answer answer =
        run(
            new Call(
                request.program(),
                request.arguments(),
                request.directory(),
                caller,
                () -> isOpen(channel)));
    served.incrementAndGet();
    channel.configureBlocking(true);
    cut = cutLater(channel);
    ByteBuffer frame = frame(answer);
    while (frame.hasRemaining()) channel.write(frame);
    cut.cancel(false);
  }

  private Answer run(Call call) {
    Command command = programs.get(call.program());
    if (command == null) {
      return Answer.failed(
          "the agent knows no program '%s'; call it as one of %s"
              .formatted(call.program(), String.join(", ", programs.keySet())));
    }
    try {
      return command.run(call);
    } catch (RuntimeException e) {
      LOG.error("'{} {}' failed", call.program(), String.join(" ", call.arguments()), e);
      return Answer.failed(
          "%s failed in the agent (%s); its log has more".formatted(call.program(), e));
    }
  }

  /** A client sends nothing behind its request, so all that can be read is its end. */
  private static boolean isOpen(SocketChannel channel) {
    try {
      return channel.read(ByteBuffer.allocate(1)) == 0;
    } catch (IOException e) {
      return false;
    }
  }

  private Future<?> cutLater(SocketChannel channel) {
    return deadlines.schedule(
        () -> {
          try {
            channel.close();
          } catch (IOException e) {
            LOG.debug("closing a slow connection failed", e);
          }
        },
        TRANSFER_SECONDS_MAX,
        TimeUnit.SECONDS);
  }

  private static ByteBuffer frame(Answer answer) {
    return AgentFrames.answer(answer.exitCode(), answer.text());
  }

  /** Takes no more calls, and cuts those that run: their clients ask the next agent again. */
  @Override
  public void close() throws IOException {
    server.close();
    for (SocketChannel channel : open) channel.close();
    deadlines.shutdownNow();
    Files.deleteIfExists(socket);
  }
}
