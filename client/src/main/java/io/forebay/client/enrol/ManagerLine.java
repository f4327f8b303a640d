// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.enrol;

import io.forebay.base.MonotonicClock;
import io.forebay.client.host.HostName;
import io.forebay.wire.Address;
import io.forebay.wire.Connection;
import io.forebay.wire.Handler;
import io.forebay.wire.Landing;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Handshake;
import io.forebay.wire.message.Maps;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Replies;
import io.forebay.wire.tcp.TcpLoop;
import io.forebay.wire.tls.TlsFiles;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A connection to a manager for one question at a time, which is made when it is needed. It has a
 * loop of its own, since it is used before a process has others, and beside them. One thread.
 */
final class ManagerLine implements AutoCloseable {
  private static final long TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(20);
  private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

  /** How refusals of a manager that will answer later end or begin. */
  private static final String NOT_YET = "(" + ErrorCode.UNAVAILABLE + ")";

  private final List<Address> managers;
  private final MonotonicClock clock = MonotonicClock.system();
  private final TcpLoop loop;
  private @Nullable Ear ear;
  private int next;
  private Address dialled;

  /** Dialled once before the others: it leads, as another manager said. */
  private @Nullable Address leader;

  private long requests;
  private volatile boolean stopped;

  ManagerLine(List<Address> managers, @Nullable TlsFiles tls) throws IOException {
    this.managers = List.copyOf(managers);
    this.dialled = managers.get(0);
    this.loop = new TcpLoop(clock, tls);
  }

  /** Asks the managers in turn until one answers; waits for one that has just started. */
  <T extends Message> T ask(Message request, Class<T> answer) throws IOException {
    long start = clock.nanos();
    while (true) {
      try {
        return askAll(request, answer);
      } catch (IOException e) {
        boolean early = String.valueOf(e.getMessage()).contains(NOT_YET);
        if (!early || stopped || clock.nanos() - start > TIMEOUT_NANOS) throw e;
        loop.poll(POLL_NANOS);
      }
    }
  }

  /** The cluster of the first manager that takes a connection. */
  long cluster() throws IOException {
    IOException failure = null;
    for (int i = 0; i < managers.size(); i++) {
      try {
        return open().connection.welcome().cluster();
      } catch (IOException e) {
        if (failure == null) failure = e;
        hangUp();
        next = (next + 1) % managers.size();
      }
    }
    throw failure == null ? new IOException("no manager is named") : failure;
  }

  /** Waits a moment before the next question. */
  void pause() throws IOException {
    if (stopped) throw new IOException("this process ends");
    loop.poll(POLL_NANOS);
  }

  private <T extends Message> T askAll(Message request, Class<T> answer) throws IOException {
    IOException failure = null;
    for (int i = 0; i < managers.size(); i++) {
      try {
        return answer.cast(askOne(request, answer));
      } catch (RequestRefused e) {
        throw e;
      } catch (IOException e) {
        if (failure == null) failure = e;
        hangUp();
        next = (next + 1) % managers.size();
      }
    }
    throw failure == null ? new IOException("no manager is named") : failure;
  }

  private Message askOne(Message request, Class<? extends Message> answer) throws IOException {
    Ear open = open();
    long start = clock.nanos();
    long number = ++requests;
    open.awaited = number;
    open.answer = null;
    open.connection.send(number, request);
    while (open.answer == null) await(open, start);
    Message answered = open.answer;
    if (answered instanceof Replies.Failed failed) {
      if (failed.code() == ErrorCode.UNAVAILABLE) {
        throw new IOException(failed.detail() + " " + NOT_YET);
      }
      throw new RequestRefused(failed.detail());
    }
    if (!answer.isInstance(answered)) {
      throw new IOException("the manager answered with " + answered.getClass().getSimpleName());
    }
    return answered;
  }

  /** A connection that stands. */
  private Ear open() throws IOException {
    Ear open = ear;
    // It may have been closed since the last question.
    if (open != null) loop.poll(0);
    if (open == null || open.closed != null) open = dial();
    long start = clock.nanos();
    while (!open.opened) await(open, start);
    return open;
  }

  private Ear dial() {
    Ear made = new Ear();
    Handshake.Hello hello =
        Handshake.Hello.of(
            Handshake.Role.CLIENT, Handshake.Lane.CONTROL, 0, HostName.identity(), 0);
    Address named = leader;
    leader = null;
    dialled = named == null ? managers.get(next) : named;
    made.connection = loop.connect(dialled, hello, made);
    ear = made;
    return made;
  }

  private void await(Ear open, long startNanos) throws IOException {
    if (stopped) throw new IOException("this process ends");
    loop.poll(POLL_NANOS);
    if (open.closed != null && open.answer == null) throw new IOException(open.closed);
    if (clock.nanos() - startNanos > TIMEOUT_NANOS) {
      throw new IOException("the manager at " + dialled + " does not answer");
    }
  }

  /** The next question makes a new connection. */
  void hangUp() {
    Ear open = ear;
    ear = null;
    if (open != null && open.closed == null) open.connection.close("a new connection is made");
  }

  /** Lets a question that waits fail soon. Any thread. */
  void stop() {
    stopped = true;
  }

  @Override
  public void close() {
    loop.close();
  }

  private void redirected(Maps.ManagersAre told) {
    if (told.leader().isEmpty()) return;
    try {
      leader = Address.parse(told.leader());
    } catch (IllegalArgumentException e) {
      // It is asked again, and the others are.
      leader = null;
    }
  }

  /** What one connection has brought. */
  private final class Ear implements Handler {
    @SuppressWarnings("NullAway.Init") // Set by the only caller of the constructor.
    private Connection connection;

    private boolean opened;
    private @Nullable String closed;
    private long awaited;
    private @Nullable Message answer;

    @Override
    public void opened(Connection made) {
      opened = true;
    }

    @Override
    public void received(Connection from, long request, Message message) {
      if (request == 0 && message instanceof Maps.ManagersAre told) redirected(told);
      // Maps come unasked.
      if (request != 0 && request == awaited) answer = message;
    }

    @Override
    public Landing arriving(Connection from, long request, Message message, int payloadBytes) {
      return Landing.DISCARD;
    }

    @Override
    public void closed(Connection ended, String reason) {
      closed = reason;
    }
  }
}
