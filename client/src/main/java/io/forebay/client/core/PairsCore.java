// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.core;

import io.forebay.client.core.content.FileContent;
import io.forebay.client.core.content.read.RangeRead;
import io.forebay.client.core.route.Futures;
import io.forebay.client.core.route.RequestFailed;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Identity;
import io.forebay.wire.message.Names;
import io.forebay.wire.message.Replies;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** Key-value pairs of one session. A value is replaced whole or not at all. */
public final class PairsCore {
  /** How often a read restarts because its value was replaced. */
  private static final int READS_MAX = 16;

  /** No longer value fits into one buffer. */
  private static final int WHOLE_BYTES_MAX = Integer.MAX_VALUE - 8;

  private final Attachment attachment;

  PairsCore(Attachment attachment) {
    this.attachment = attachment;
  }

  /** Begins a new value, which is invisible until it is finished. */
  public CompletableFuture<PairUpload> begin(Identity who, String key) {
    return attachment
        .numbers()
        .take()
        .thenApply(number -> new PairUpload(attachment, who, key, number));
  }

  /** Finds a value. */
  public CompletableFuture<PairValue> find(Identity who, String key) {
    return attachment
        .session()
        .ask(who, new Names.GetPair(key, RangeRead.RUNS_MAX), Names.PairIs.class)
        .thenApply(pair -> new PairValue(attachment, who, pair));
  }

  /**
   * Reads a whole value, if it is short enough, into a buffer of its size that the caller gives.
   */
  public CompletableFuture<ByteBuffer> get(
      Identity who, String key, IntFunction<ByteBuffer> buffers) {
    CompletableFuture<ByteBuffer> value = new CompletableFuture<>();
    get(who, key, buffers, 1, value);
    return value;
  }

  private void get(
      Identity who,
      String key,
      IntFunction<ByteBuffer> buffers,
      int reads,
      CompletableFuture<ByteBuffer> result) {
    CompletableFuture<ByteBuffer> read =
        find(who, key)
            .thenCompose(
                value -> {
                  long sizeBytes = value.sizeBytes();
                  if (sizeBytes > WHOLE_BYTES_MAX)
                    return CompletableFuture.failedFuture(tooLong(sizeBytes));
                  ByteBuffer target = buffers.apply((int) sizeBytes);
                  return value.read(0, target).thenApply(bytes -> target);
                });
    Futures.then(
        read,
        result::complete,
        why -> {
          boolean replaced = why.code() == ErrorCode.GONE || why.code() == ErrorCode.STALE_HANDLE;
          if (replaced && reads < READS_MAX) get(who, key, buffers, reads + 1, result);
          else result.completeExceptionally(why);
        });
  }

  private static RequestFailed tooLong(long sizeBytes) {
    return new RequestFailed(
        ErrorCode.TOO_LARGE, "a value of " + sizeBytes + " bytes: read it as a stream");
  }

  public CompletableFuture<Void> delete(Identity who, String key) {
    return attachment
        .session()
        .change(who, new Names.DeletePair(key), Replies.Done.class)
        .thenApply(done -> null);
  }

  /** Keys with a prefix, in order, after the given key. */
  public CompletableFuture<Names.PairsAre> list(
      Identity who, String prefix, String after, int max) {
    return attachment
        .session()
        .ask(who, new Names.ListPairs(prefix, after, max), Names.PairsAre.class);
  }

  /** A value as it was when it was found. */
  public static final class PairValue {
    private final Attachment attachment;
    private final Identity who;
    private final Names.PairIs pair;

    PairValue(Attachment attachment, Identity who, Names.PairIs pair) {
      this.attachment = attachment;
      this.who = who;
      this.pair = pair;
    }

    public long sizeBytes() {
      return pair.runs().sizeBytes();
    }

    /** Reads a range; fails with GONE or STALE_HANDLE if the value has been replaced. */
    public CompletableFuture<Integer> read(long offset, ByteBuffer target) {
      @Nullable FileContent none = null;
      RangeRead.Range range = new RangeRead.Range(who, pair.file(), offset, target);
      RangeRead read = new RangeRead(attachment.reading(), range, none);
      boolean told = offset < pair.runs().throughOffset() || sizeBytes() == 0;
      return told ? read.startWith(pair.runs()) : read.start();
    }
  }
}
