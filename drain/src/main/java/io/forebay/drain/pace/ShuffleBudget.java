// SPDX-License-Identifier: Apache-2.0

package io.forebay.drain.pace;

import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Bounds the memory of a seat's shuffle: decides which write may be assembled next. The writes of a
 * file come in order. Files share the memory by priority: one step more doubles the share. A write
 * holds its memory from its grant until it has been written, and one place at each of its sources
 * until everything has been fetched.
 *
 * <p>There is always progress: a write that is larger than the budget is granted when there is no
 * other; smaller writes do not overtake the first in line; and a place at a source goes to the
 * first write that waits for it. A granted write waits for nothing here.
 */
public final class ShuffleBudget {
  public static final int PRIORITY_MAX = 9;

  /** More files are not drained at once. */
  public static final int STREAMS_MAX = 4096;

  /** The writes of one file that this seat has to make, in order. */
  public interface Writes {
    /** May become more; see {@link ShuffleBudget#grown}. */
    int count();

    int lengthBytes(int write);

    /** The sources to fetch from, without repetition; the caller defines their meaning. */
    int[] sources(int write);
  }

  /** One file's place in the budget. */
  public static final class Stream {
    private final long number;
    private final int priority;
    private final Writes writes;
    private int next;
    private int underWay;
    private long served;

    private Stream(long number, int priority, Writes writes, long served) {
      this.number = number;
      this.priority = priority;
      this.writes = writes;
      this.served = served;
    }

    private boolean hasNext() {
      return next < writes.count();
    }

    /** Whether all writes have been granted and written, or cancelled. */
    public boolean isOver() {
      return !hasNext() && underWay == 0;
    }
  }

  /** Leave to put one write together. */
  public static final class Grant {
    private enum State {
      FETCHING,
      FETCHED,
      WRITTEN
    }

    private final Stream stream;
    private final int write;
    private final int lengthBytes;
    private final int[] sources;
    private State state = State.FETCHING;

    private Grant(Stream stream, int write, int lengthBytes, int[] sources) {
      this.stream = stream;
      this.write = write;
      this.lengthBytes = lengthBytes;
      this.sources = sources;
    }

    public Stream stream() {
      return stream;
    }

    /** Which of the file's writes. */
    public int write() {
      return write;
    }

    public int lengthBytes() {
      return lengthBytes;
    }
  }

  private final long bytesMax;
  private final int perSourceMax;
  private final Map<Integer, Integer> fetching = new HashMap<>();
  private final TreeSet<Stream> waiting =
      new TreeSet<>(
          Comparator.<Stream>comparingLong(stream -> stream.served)
              .thenComparingLong(stream -> stream.number));
  private long streams;
  private long served;
  private long heldBytes;

  /**
   * A budget without grants.
   *
   * @param bytesMax memory for all writes together
   * @param perSourceMax the maximum number of writes that fetch from one source at once
   */
  public ShuffleBudget(long bytesMax, int perSourceMax) {
    if (bytesMax <= 0 || perSourceMax <= 0) {
      throw new IllegalArgumentException(
          "budget of " + bytesMax + " bytes, " + perSourceMax + " per source");
    }
    this.bytesMax = bytesMax;
    this.perSourceMax = perSourceMax;
  }

  /**
   * Adds a file. Its service count starts at that of the next file in line, so it neither waits nor
   * rushes.
   */
  public Stream add(int priority, Writes writes) {
    if (priority < 0 || priority > PRIORITY_MAX) {
      throw new IllegalArgumentException("priority " + priority + "; 0 to " + PRIORITY_MAX);
    }
    if (waiting.size() == STREAMS_MAX) {
      throw new IllegalStateException("more than " + STREAMS_MAX + " files drained at once");
    }
    Stream stream = new Stream(streams++, priority, writes, served);
    if (stream.hasNext()) waiting.add(stream);
    return stream;
  }

  /** A file has more writes than before. It neither gains nor loses by its idle time. */
  public void grown(Stream stream) {
    if (!stream.hasNext() || waiting.contains(stream)) return;
    stream.served = Math.max(stream.served, served);
    waiting.add(stream);
  }

  /** Grants nothing more to a file. Granted writes count until they are written or dropped. */
  public void giveUp(Stream stream) {
    waiting.remove(stream);
    stream.next = stream.writes.count();
  }

  /** The write that may be put together now, or null until memory or a source is free again. */
  public @Nullable Grant next() {
    Set<Integer> claimed = new HashSet<>();
    Iterator<Stream> inTurn = waiting.iterator();
    while (inTurn.hasNext()) {
      Stream stream = inTurn.next();
      int[] sources = stream.writes.sources(stream.next);
      if (!areFree(sources, claimed)) {
        for (int source : sources) claimed.add(source);
        continue;
      }
      int lengthBytes = stream.writes.lengthBytes(stream.next);
      if (heldBytes > 0 && lengthBytes > bytesMax - heldBytes) return null;
      inTurn.remove();
      return grant(stream, lengthBytes, sources);
    }
    return null;
  }

  private boolean areFree(int[] sources, Set<Integer> claimed) {
    for (int source : sources) {
      if (claimed.contains(source) || fetching.getOrDefault(source, 0) == perSourceMax) {
        return false;
      }
    }
    return true;
  }

  private Grant grant(Stream stream, int lengthBytes, int[] sources) {
    for (int source : sources) fetching.merge(source, 1, Integer::sum);
    heldBytes += lengthBytes;
    Grant grant = new Grant(stream, stream.next, lengthBytes, sources.clone());
    stream.next++;
    stream.underWay++;
    // A waiting file must not fall behind new ones.
    served = Math.max(served, stream.served);
    stream.served += (long) lengthBytes << (PRIORITY_MAX - stream.priority);
    if (stream.hasNext()) waiting.add(stream);
    return grant;
  }

  /** All bytes of a write have arrived: others may fetch from its sources. */
  public void fetched(Grant grant) {
    if (grant.state != Grant.State.FETCHING) {
      throw new IllegalStateException("fetched when " + grant.state);
    }
    grant.state = Grant.State.FETCHED;
    for (int source : grant.sources) {
      fetching.computeIfPresent(source, (key, writes) -> writes == 1 ? null : writes - 1);
    }
  }

  /** A write was made or dropped, and its memory is free. */
  public void released(Grant grant) {
    if (grant.state == Grant.State.FETCHING) fetched(grant);
    if (grant.state != Grant.State.FETCHED) {
      throw new IllegalStateException("released when " + grant.state);
    }
    grant.state = Grant.State.WRITTEN;
    grant.stream.underWay--;
    heldBytes -= grant.lengthBytes;
  }

  /** The memory of all writes that are granted and not yet released. */
  public long heldBytes() {
    return heldBytes;
  }

  /** Whether any write is waiting for a grant. */
  public boolean hasWaiting() {
    return !waiting.isEmpty();
  }
}
