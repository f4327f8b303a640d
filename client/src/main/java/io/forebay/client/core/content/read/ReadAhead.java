// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.core.content.read;

import io.forebay.client.core.content.FileContent;
import io.forebay.wire.message.Names;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Iterator;

/**
 * Watches the reads of one handle. When they are sequential, it fetches the next records ahead.
 * Only records are cached, and records never change: each read still asks the home which records
 * the file consists of, so that it sees everything that was published before it.
 */
public final class ReadAhead {
  /** The number of sequential reads before fetching ahead starts. */
  private static final int FOLLOWING_MIN = 2;

  /** The maximum of chunks of full size that are fetched ahead. */
  private static final int CHUNKS_MAX = 4;

  /** The maximum of bytes fetched ahead, as a multiple of the bytes read sequentially. */
  private static final int AHEAD_FACTOR = 4;

  /** The first chunk is short, so that little is wasted if reading stops. */
  private static final int FIRST_SHARE = 16;

  private static final int GROWTH = 4;

  /** Of several pending reads, those of at least this length may overtake each other, by one. */
  private static final int OVERTAKING_BYTES_MIN = 64 * 1024;

  /** With more pending reads than this, the program reads ahead by itself, and saves a copy. */
  private static final int UNDER_WAY_MAX = 1;

  private final RangeRead.Ground ground;
  private final FileContent own;
  private final ArrayDeque<AheadChunk> chunks = new ArrayDeque<>();
  private long expectedOffset;
  private int following;
  private long followedBytes;
  private int growth = 1;
  private long askedTo;
  private int underWay;
  private boolean closed;

  public ReadAhead(RangeRead.Ground ground, FileContent own) {
    this.ground = ground;
    this.own = own;
  }

  /** A read begins, up to the end of the file. */
  void reading(long offset, int lengthBytes) {
    underWay++;
    long slack = lengthBytes >= OVERTAKING_BYTES_MIN ? lengthBytes : 0;
    boolean follows = Math.abs(offset - expectedOffset) <= slack;
    long end = offset + lengthBytes;
    if (follows) {
      following++;
      followedBytes += lengthBytes;
      expectedOffset = Math.max(expectedOffset, end);
      dropBefore(offset - slack);
    } else {
      following = 1;
      followedBytes = lengthBytes;
      expectedOffset = end;
      drop();
    }
    if (following >= FOLLOWING_MIN) ground.memory().used(this);
  }

  /** A read that was reported has ended. */
  void ended() {
    underWay--;
  }

  /** Up to where a read should ask for runs, though it does not need them itself. */
  long askTo() {
    if (!isWanted()) return 0;
    long most = (long) CHUNKS_MAX * ground.memory().chunkBytesMax();
    long bytes = Math.min(most, AHEAD_FACTOR * followedBytes);
    // Not with each read: the answer would repeat known runs.
    if (askedTo >= expectedOffset + bytes / 2) return 0;
    long end = expectedOffset + bytes + chunkBytes() - 1;
    return end - end % chunkBytes();
  }

  private int chunkBytes() {
    int longest = ground.memory().chunkBytesMax();
    return Math.min(longest, Math.max(1, longest / FIRST_SHARE) * growth);
  }

  private boolean isWanted() {
    return following >= FOLLOWING_MIN
        && underWay <= UNDER_WAY_MAX
        && !closed
        && !ground.memory().isNone();
  }

  /** The answer to a read that asked for a range; the following part is fetched. */
  void told(Names.RunsAre runs, long from, long to) {
    if (!isWanted()) return;
    askedTo = Math.max(askedTo, Math.max(from, expectedOffset));
    long end = Math.min(to, Math.min(runs.sizeBytes(), runs.throughOffset()));
    while (askedTo < end && fetchNext(runs, end)) {
      // As many as there is memory for.
    }
  }

  private boolean fetchNext(Names.RunsAre runs, long most) {
    // They end at multiples of their length, as most records do.
    long end = Math.min(most, askedTo + chunkBytes() - askedTo % chunkBytes());
    ByteBuffer bytes = ground.memory().take(this, (int) (end - askedTo));
    if (bytes == null) return false;
    AheadChunk chunk = new AheadChunk(ground.window(), ground.memory(), bytes, askedTo, end);
    chunks.add(chunk);
    chunk.fetch(ReadPlan.of(ground.session(), askedTo, end, runs, own, ground.pieceBytesMax()));
    askedTo = end;
    growth = Math.min(FIRST_SHARE, growth * GROWTH);
    return true;
  }

  /** Gives bytes of a record to a place, now or when they are here; false if it has none. */
  boolean give(RecordFetch.Source source, ByteBuffer place, Fetch.Outcome outcome) {
    for (AheadChunk chunk : chunks) {
      if (chunk.give(source, place, outcome)) return true;
    }
    return false;
  }

  private void dropBefore(long offset) {
    for (Iterator<AheadChunk> all = chunks.iterator(); all.hasNext(); ) {
      AheadChunk chunk = all.next();
      if (chunk.endOffset() > offset) return;
      all.remove();
      chunk.drop();
    }
  }

  /** Drops everything; reading on starts again. */
  void drop() {
    for (AheadChunk chunk : chunks) chunk.drop();
    chunks.clear();
    ground.memory().left(this);
    growth = 1;
    askedTo = 0;
  }

  /** The handle is closed. */
  public void close() {
    closed = true;
    drop();
  }
}
