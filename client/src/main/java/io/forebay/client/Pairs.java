// SPDX-License-Identifier: Apache-2.0

package io.forebay.client;

import io.forebay.base.StageKeys;
import io.forebay.client.core.ClientCore;
import io.forebay.client.core.PairUpload;
import io.forebay.client.core.PairsCore;
import io.forebay.client.core.content.write.Piece;
import io.forebay.client.core.content.write.PieceLayout;
import io.forebay.client.failure.Failures;
import io.forebay.client.failure.FileRefusedException;
import io.forebay.client.failure.ValueReplacedException;
import io.forebay.client.file.FileStat;
import io.forebay.client.loop.ClientLoop;
import io.forebay.client.loop.Pages;
import io.forebay.client.loop.ReadAheadStream;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Identity;
import io.forebay.wire.message.Names;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Key-value pairs of an instance. A value of any size is put whole or not at all, and from then on
 * all clients see it. Any thread.
 */
public final class Pairs {
  /** Keys fetched at a time. */
  private static final int PAGE = 1024;

  /**
   * The prefix of Forebay's own keys. They are listed only for callers that ask for this prefix.
   */
  public static final String RESERVED = StageKeys.RESERVED;

  /** A pair as it is listed. */
  public record Entry(String key, long sizeBytes, Instant modifyTime) {}

  private final ClientLoop loop;
  private final ClientCore core;
  private final Identity who;
  private final long windowBytes;

  /** The last layout of values. */
  private volatile @Nullable PieceLayout layout;

  Pairs(ClientLoop loop, ClientCore core, Identity who, long windowBytes) {
    this.loop = loop;
    this.core = core;
    this.who = who;
    this.windowBytes = windowBytes;
  }

  /** Puts what remains of a buffer under a key; returns when it is kept and seen by all. */
  public void put(String key, ByteBuffer value) throws IOException {
    loop.await(putAsync(key, value), key);
  }

  public void put(String key, byte[] value) throws IOException {
    put(key, ByteBuffer.wrap(value));
  }

  /** The same without waiting; the buffer must not change until the future is complete. */
  public CompletableFuture<Void> putAsync(String key, ByteBuffer value) {
    requireKey(key);
    ByteBuffer bytes = value.duplicate();
    value.position(value.limit());
    PieceLayout known = layout;
    // Here and not on the loop: checksums of several values are computed at the same time.
    List<Piece> early = known == null ? List.of() : known.cut(bytes, 0);
    return Failures.translated(
        loop.submit(
            bytes,
            () ->
                core.pairs()
                    .thenCompose(pairs -> pairs.begin(who, key))
                    .thenCompose(
                        upload -> {
                          layout = upload.layout();
                          boolean stillSo = upload.layout().equals(known);
                          upload.write(stillSo ? early : upload.layout().cut(bytes, 0));
                          return upload.finish();
                        })),
        key);
  }

  /** Puts all bytes of a stream, of any length. */
  public void put(String key, InputStream value) throws IOException {
    requireKey(key);
    PairUpload upload =
        loop.call(key, () -> core.pairs().thenCompose(pairs -> pairs.begin(who, key)));
    boolean written = false;
    try {
      write(upload, value, key);
      written = true;
    } finally {
      if (!written) loop.execute(upload::giveUp);
    }
    loop.call(key, upload::finish);
  }

  private void write(PairUpload upload, InputStream value, String key) throws IOException {
    ArrayDeque<CompletableFuture<Void>> sent = new ArrayDeque<>();
    int partBytes = upload.layout().pieceBytesMax();
    int partsMax = (int) Math.max(2, Math.min(64, windowBytes / partBytes));
    while (true) {
      if (sent.size() >= partsMax) loop.await(sent.remove(), key);
      byte[] part = value.readNBytes(partBytes);
      if (part.length == 0) break;
      List<Piece> pieces = upload.layout().cut(ByteBuffer.wrap(part), 0);
      sent.add(loop.submit(() -> upload.write(pieces).acknowledged()));
    }
  }

  /** The value of a key, or null if there is none; for one of any length see {@link #open}. */
  public byte @Nullable [] get(String key) throws IOException {
    try {
      return loop.await(getAsync(key), key).array();
    } catch (NoSuchFileException e) {
      return null;
    }
  }

  /** The value of a key; fails with NoSuchFileException if there is none. */
  public CompletableFuture<ByteBuffer> getAsync(String key) {
    requireKey(key);
    return Failures.translated(
        loop.submit(
            () -> core.pairs().thenCompose(pairs -> pairs.get(who, key, ByteBuffer::allocate))),
        key);
  }

  /**
   * The current value of a key as a stream that reads ahead; null if there is none. It takes a few
   * MiB of memory for a value of any length.
   */
  public @Nullable ValueStream open(String key) throws IOException {
    requireKey(key);
    PairsCore.PairValue value;
    try {
      value = loop.call(key, () -> core.pairs().thenCompose(pairs -> pairs.find(who, key)));
    } catch (NoSuchFileException e) {
      return null;
    }
    ReadAheadStream bytes = new ReadAheadStream(new ValueSource(key, value), 0);
    return new ValueStream(bytes, value.sizeBytes());
  }

  private final class ValueSource implements ReadAheadStream.Source {
    private final String key;
    private final PairsCore.PairValue value;

    ValueSource(String key, PairsCore.PairValue value) {
      this.key = key;
      this.value = value;
    }

    @Override
    public CompletableFuture<Integer> readAsync(ByteBuffer target, long offset) {
      return loop.submit(() -> value.read(offset, target))
          .thenApply(
              count -> {
                if (count > 0) target.position(target.position() + count);
                return count;
              });
    }

    @Override
    public int await(CompletableFuture<Integer> count) throws IOException {
      try {
        return loop.await(count, key);
      } catch (FileRefusedException e) {
        // Numbers of values are never reused: if the number is not found, the value was replaced.
        if (e.code() == ErrorCode.STALE_HANDLE) throw new ValueReplacedException(key);
        throw e;
      }
    }

    @Override
    public void close() {
      // Nothing is open.
    }
  }

  /** Removes a pair; false if there was none. */
  public boolean delete(String key) throws IOException {
    try {
      loop.await(deleteAsync(key), key);
      return true;
    } catch (NoSuchFileException e) {
      return false;
    }
  }

  /** The same without waiting; fails with NoSuchFileException if there is none. */
  public CompletableFuture<Void> deleteAsync(String key) {
    requireKey(key);
    return Failures.translated(
        loop.submit(() -> core.pairs().thenCompose(pairs -> pairs.delete(who, key))), key);
  }

  /** Keys that begin with a prefix, in order, fetched page by page. */
  public Iterator<Entry> list(String prefix) throws IOException {
    return new Pages<>(last -> page(prefix, last == null ? "" : last.key()));
  }

  private Pages.Page<Entry> page(String prefix, String after) throws IOException {
    String from = after;
    while (true) {
      Names.PairsAre told = pageBehind(prefix, from);
      List<Entry> entries = new ArrayList<>(told.pairs().size());
      for (Names.NamedPair pair : told.pairs()) {
        from = pair.key();
        if (from.startsWith(RESERVED) && !prefix.startsWith(RESERVED)) continue;
        entries.add(new Entry(from, pair.sizeBytes(), FileStat.instant(pair.modifyNanos())));
      }
      boolean more = told.more() && !told.pairs().isEmpty();
      if (!entries.isEmpty() || !more) return new Pages.Page<>(entries, more);
    }
  }

  private Names.PairsAre pageBehind(String prefix, String after) throws IOException {
    return loop.call(
        prefix, () -> core.pairs().thenCompose(pairs -> pairs.list(who, prefix, after, PAGE)));
  }

  private static void requireKey(String key) {
    int bytes = key.getBytes(StandardCharsets.UTF_8).length;
    if (bytes == 0 || bytes > Names.KEY_BYTES_MAX) {
      throw new IllegalArgumentException(
          "a key of " + bytes + " bytes; it must have 1 to " + Names.KEY_BYTES_MAX);
    }
  }
}
