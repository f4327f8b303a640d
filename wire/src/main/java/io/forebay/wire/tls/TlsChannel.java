// SPDX-License-Identifier: Apache-2.0

package io.forebay.wire.tls;

import io.forebay.base.Bytes;
import io.forebay.wire.buffer.BufferPool;
import io.forebay.wire.proof.PeerCertificate;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.channels.ClosedChannelException;
import java.util.Arrays;
import java.util.function.BooleanSupplier;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import org.jspecify.annotations.Nullable;

/**
 * TLS 1.3 by the JDK's engine. Decrypted bytes go straight into the reader's buffers, so that a
 * payload is copied once more than over a plain socket, and no oftener.
 *
 * <ol>
 *   <li>Reading: encrypted bytes are read from the socket into {@code arrived}. Each whole record
 *       is decrypted into the reader's buffers. What does not fit there goes into {@code surplus},
 *       and is delivered first by the next read.
 *   <li>Writing: bytes are encrypted behind those in {@code unsent}, which is written when it is
 *       full or nothing more is to be written. A record that the socket takes in part is finished
 *       before the next.
 *   <li>Key updates of the peer are answered behind {@code unsent}, where room for them is kept.
 *   <li>The end: a peer says that it closes. A stream that ends without that was interrupted.
 * </ol>
 *
 * <p>The three buffers are borrowed from the loop's {@link TlsBuffers} and given back whenever they
 * are empty.
 */
public final class TlsChannel implements Link {
  /**
   * Bytes that one call encrypts or decrypts. Before the JVM has compiled the ciphers, this takes
   * tens of milliseconds, and a loop has leases to renew.
   */
  private static final long CALL_BYTES_MAX = 512 * 1024;

  /** Records without content, such as key updates, that one read takes in. */
  private static final int EMPTY_RECORDS_MAX = 32;

  /** Steps of a handshake before other connections have their turn. */
  private static final int STEPS_PER_TURN_MAX = 64;

  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);
  private static final ByteBuffer[] NO_BYTES = {NOTHING};
  private static final SSLEngineResult.Status CLOSED = SSLEngineResult.Status.CLOSED;

  private enum State {
    HANDSHAKE,
    OPEN,
    /** The peer has said that it sends no more. */
    PEER_CLOSED,
    /** The socket has ended without that. */
    INTERRUPTED,
    CLOSED
  }

  private final SSLEngine engine;
  private final ByteChannel socket;
  private final TlsBuffers buffers;
  private State state = State.HANDSHAKE;

  /** Encrypted bytes from the socket, between position and limit, as in the other two. */
  private ByteBuffer arrived = NOTHING;

  /** Decrypted bytes that had no room. */
  private ByteBuffer surplus = NOTHING;

  /** Encrypted bytes for the socket. */
  private ByteBuffer unsent = NOTHING;

  /** The reader's buffers, and {@link #surplus}. */
  private ByteBuffer[] widened = new ByteBuffer[3];

  private final ByteBuffer[] single = new ByteBuffer[1];

  /** What the next read throws: bytes before the failure are delivered first. */
  private @Nullable IOException failure;

  private @Nullable PeerCertificate peer;

  public TlsChannel(SSLEngine engine, ByteChannel socket, TlsBuffers buffers) throws IOException {
    this.engine = engine;
    this.socket = socket;
    this.buffers = buffers;
    engine.beginHandshake();
  }

  /**
   * Continues the handshake. The engine's expensive steps (signatures, chains of certificates) run
   * here, on the loop: a link owns no thread, and the steps of one handshake take a few
   * milliseconds in all. {@code mayCompute} bounds how many of them the loop runs in a turn, so
   * that many strangers at once delay other connections by a bounded time.
   */
  @Override
  public Progress establish(BooleanSupplier mayCompute) throws IOException {
    try {
      for (int step = 0; step < STEPS_PER_TURN_MAX; step++) {
        Progress progress = step(mayCompute);
        if (progress != null) return progress;
      }
      return Progress.WANTS_TURN;
    } catch (IOException e) {
      throw TlsReasons.ofHandshake(e);
    }
  }

  /** One step of the handshake; null if the next one can follow. */
  private @Nullable Progress step(BooleanSupplier mayCompute) throws IOException {
    switch (engine.getHandshakeStatus()) {
      case NEED_TASK -> {
        if (!mayCompute.getAsBoolean()) return Progress.WANTS_TURN;
        Runnable task = engine.getDelegatedTask();
        if (task != null) task.run();
      }
      case NEED_WRAP -> {
        if (!hasRoom(TlsBuffers.RECORD_ROOM_BYTES) && !drain()) return Progress.WANTS_OUTPUT;
        wrap(NO_BYTES, 0, 1);
      }
      case NEED_UNWRAP, NEED_UNWRAP_AGAIN -> {
        if (!drain()) return Progress.WANTS_OUTPUT;
        if (!hasRecord() && !fill()) {
          if (state == State.INTERRUPTED) throw TlsReasons.interrupted();
          return Progress.WANTS_INPUT;
        }
        if (hasRecord() && engine.unwrap(arrived, NOTHING).getStatus() == CLOSED) {
          throw TlsReasons.interrupted();
        }
      }
      case FINISHED, NOT_HANDSHAKING -> {
        // The last words of the handshake leave together with the first bytes behind it.
        state = State.OPEN;
        rest();
        return Progress.DONE;
      }
    }
    return null;
  }

  @Override
  public int read(ByteBuffer into) throws IOException {
    single[0] = into;
    try {
      return (int) read(single, 0, 1);
    } finally {
      single[0] = NOTHING;
    }
  }

  @Override
  public long read(ByteBuffer[] into) throws IOException {
    return read(into, 0, into.length);
  }

  @Override
  public long read(ByteBuffer[] into, int offset, int length) throws IOException {
    if (state == State.CLOSED) throw new ClosedChannelException();
    long count = takeSurplus(into, offset, length);
    try {
      int empty = 0;
      while (remaining(into, offset, length) > 0
          && empty < EMPTY_RECORDS_MAX
          && count < CALL_BYTES_MAX) {
        if (failure != null) throw failure;
        if (state == State.PEER_CLOSED) return count > 0 ? count : -1;
        if (hasRecord()) {
          long produced = unwrap(into, offset, length);
          if (produced == 0) empty++;
          count += produced;
        } else if (state == State.INTERRUPTED) {
          throw TlsReasons.interrupted();
        } else if (!fill() && state == State.OPEN) {
          return count;
        }
      }
      return count;
    } catch (IOException e) {
      failure = TlsReasons.ofStream(e);
      if (count == 0) throw failure;
      return count;
    }
  }

  private long takeSurplus(ByteBuffer[] into, int offset, int length) {
    if (!surplus.hasRemaining()) return 0;
    long count = 0;
    for (int i = offset; i < offset + length && surplus.hasRemaining(); i++) {
      int bytes = Math.min(into[i].remaining(), surplus.remaining());
      into[i].put(into[i].position(), surplus, surplus.position(), bytes);
      into[i].position(into[i].position() + bytes);
      surplus.position(surplus.position() + bytes);
      count += bytes;
    }
    if (!surplus.hasRemaining()) surplus = giveBack(surplus, buffers.input());
    return count;
  }

  /** Decrypts one record; returns how many bytes of it the reader got. */
  private long unwrap(ByteBuffer[] into, int offset, int length) throws IOException {
    SSLEngineResult result;
    if (remaining(into, offset, length) >= TlsRecords.firstBytes(arrived)) {
      result = engine.unwrap(arrived, into, offset, length);
    } else {
      if (widened.length < length + 1) widened = new ByteBuffer[length + 1];
      System.arraycopy(into, offset, widened, 0, length);
      surplus = buffers.input().take();
      widened[length] = surplus;
      try {
        result = engine.unwrap(arrived, widened, 0, length + 1);
      } finally {
        // So that the reader's memory is not kept alive from here.
        Arrays.fill(widened, NOTHING);
        surplus.flip();
        if (!surplus.hasRemaining()) surplus = giveBack(surplus, buffers.input());
      }
    }
    if (!arrived.hasRemaining()) arrived = giveBack(arrived, buffers.input());
    int produced = result.bytesProduced() - surplus.remaining();
    obey(result);
    return produced;
  }

  /** Does what the engine asks for after a record of the peer: answers a key update, or ends. */
  private void obey(SSLEngineResult result) throws IOException {
    SSLEngineResult.HandshakeStatus wanted = result.getHandshakeStatus();
    while (wanted == SSLEngineResult.HandshakeStatus.NEED_TASK) {
      Runnable task = engine.getDelegatedTask();
      if (task != null) task.run();
      wanted = engine.getHandshakeStatus();
    }
    if (result.getStatus() == CLOSED) {
      state = State.PEER_CLOSED;
    } else if (wanted == SSLEngineResult.HandshakeStatus.NEED_WRAP) {
      if (!hasRoom(TlsBuffers.RECORD_ROOM_BYTES)) {
        throw new TlsFailure(
            TlsFailure.Kind.BROKEN, "it updates its keys and does not take the answers");
      }
      wrap(NO_BYTES, 0, 1);
    }
  }

  /** Whether a whole record has arrived. */
  private boolean hasRecord() throws TlsFailure {
    int bytes = TlsRecords.firstBytes(arrived);
    return bytes != TlsRecords.UNKNOWN && bytes <= arrived.remaining();
  }

  /** Reads from the socket; returns whether anything came. */
  private boolean fill() throws IOException {
    if (arrived.capacity() == 0) arrived = buffers.input().take().limit(0);
    // The rest is less than a record.
    if (arrived.position() > 0) arrived.compact().flip();
    int end = arrived.limit();
    arrived.limit(arrived.capacity()).position(end);
    int count;
    try {
      count = socket.read(arrived);
    } finally {
      arrived.flip();
    }
    if (count < 0) state = State.INTERRUPTED;
    if (!arrived.hasRemaining()) arrived = giveBack(arrived, buffers.input());
    return count > 0;
  }

  @Override
  public int write(ByteBuffer from) throws IOException {
    single[0] = from;
    try {
      return (int) write(single, 0, 1);
    } finally {
      single[0] = NOTHING;
    }
  }

  @Override
  public long write(ByteBuffer[] from) throws IOException {
    return write(from, 0, from.length);
  }

  @Override
  public long write(ByteBuffer[] from, int offset, int length) throws IOException {
    if (state == State.CLOSED) throw new ClosedChannelException();
    long bytes = Math.min(remaining(from, offset, length), CALL_BYTES_MAX);
    int end = offset + length;
    int first = offset;
    long count = 0;
    do {
      while (count < bytes
          && hasRoom(TlsBuffers.RECORD_ROOM_BYTES + TlsBuffers.ANSWER_ROOM_BYTES)) {
        while (!from[first].hasRemaining()) first++;
        SSLEngineResult result = wrap(from, first, countForRecord(from, first, end));
        if (result.getStatus() == CLOSED) throw new ClosedChannelException();
        count += result.bytesConsumed();
      }
    } while (drain() && count < bytes);
    return count;
  }

  /** How many of the buffers fill a record: the engine looks at all that it is given. */
  private static int countForRecord(ByteBuffer[] from, int first, int end) {
    int bytes = 0;
    int at = first;
    while (at < end && bytes < TlsRecords.CONTENT_BYTES_MAX) bytes += from[at++].remaining();
    return at - first;
  }

  private boolean hasRoom(int bytes) {
    return unsent.capacity() == 0 || unsent.capacity() - unsent.limit() >= bytes;
  }

  /** Encrypts a record behind those that wait. */
  private SSLEngineResult wrap(ByteBuffer[] from, int offset, int length) throws IOException {
    if (unsent.capacity() == 0) unsent = buffers.output().take().limit(0);
    int start = unsent.position();
    unsent.position(unsent.limit()).limit(unsent.capacity());
    SSLEngineResult result;
    try {
      result = buffers.wrap(engine, from, offset, length, unsent);
    } finally {
      unsent.limit(unsent.position()).position(start);
    }
    switch (result.getStatus()) {
      case OK, CLOSED -> {
        return result;
      }
      default -> throw new IllegalStateException("the engine wants more room: " + result);
    }
  }

  /** Offers the encrypted bytes to the socket; returns whether it has taken all. */
  private boolean drain() throws IOException {
    while (unsent.hasRemaining()) {
      if (socket.write(unsent) == 0) {
        // Without this, the room before them is lost until all are sent.
        if (unsent.position() > unsent.capacity() / 2) unsent.compact().flip();
        return false;
      }
    }
    unsent = giveBack(unsent, buffers.output());
    return true;
  }

  @Override
  public boolean hasInput() {
    try {
      return surplus.hasRemaining()
          || failure != null
          || state == State.PEER_CLOSED
          || state == State.INTERRUPTED
          || hasRecord();
    } catch (TlsFailure e) {
      failure = e;
      return true;
    }
  }

  @Override
  public boolean isPartial() {
    return arrived.hasRemaining();
  }

  @Override
  public boolean hasOutput() {
    return unsent.hasRemaining();
  }

  @Override
  public void flush() throws IOException {
    drain();
  }

  @Override
  public void rest() {
    if (!arrived.hasRemaining()) arrived = giveBack(arrived, buffers.input());
    if (!unsent.hasRemaining()) unsent = giveBack(unsent, buffers.output());
  }

  /** Says that this end closes, or why it fails, if all that came before it is sent. */
  @Override
  public void sayGoodbye() throws IOException {
    if (state == State.CLOSED || hasOutput()) return;
    engine.closeOutbound();
    // At most an alert about the failure, and the end.
    for (int i = 0; i < 2 && !engine.isOutboundDone(); i++) {
      if (wrap(NO_BYTES, 0, 1).bytesProduced() == 0) break;
    }
    drain();
    discardInput();
  }

  /** Unread bytes would let the kernel reset the connection, and the peer not read the last. */
  private void discardInput() throws IOException {
    if (arrived.capacity() == 0) arrived = buffers.input().take();
    socket.read(arrived.clear());
    arrived.limit(0);
  }

  @Override
  public PeerCertificate peer() {
    PeerCertificate known = peer;
    if (known == null) {
      known = Certificates.peerOf(engine.getSession());
      peer = known;
    }
    return known;
  }

  @Override
  public Bytes channelBinding() {
    return Certificates.bindingOf(engine.getSession(), engine.getUseClientMode());
  }

  @Override
  public boolean isOpen() {
    return state != State.CLOSED && socket.isOpen();
  }

  @Override
  public void close() throws IOException {
    state = State.CLOSED;
    arrived = giveBack(arrived, buffers.input());
    surplus = giveBack(surplus, buffers.input());
    unsent = giveBack(unsent, buffers.output());
    socket.close();
  }

  private static ByteBuffer giveBack(ByteBuffer buffer, BufferPool pool) {
    if (buffer.capacity() > 0) pool.giveBack(buffer);
    return NOTHING;
  }

  private static long remaining(ByteBuffer[] buffers, int offset, int length) {
    long bytes = 0;
    for (int i = offset; i < offset + length; i++) bytes += buffers[i].remaining();
    return bytes;
  }
}
