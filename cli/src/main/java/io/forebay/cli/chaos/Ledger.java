// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.chaos;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * What one writer intended to store under each name and what was acknowledged, kept outside the
 * ring. One thread at a time.
 */
final class Ledger {
  /** Bytes that were meant to be stored. */
  record Version(long seed, int bytes) {
    ByteBuffer content() {
      return Content.of(seed, bytes);
    }
  }

  /** The allowed contents of a name: the last acknowledged one, or any that was attempted since. */
  private static final class Entry {
    final List<Version> possible = new ArrayList<>();
    boolean mayBeAbsent = true;

    int latestBytes() {
      return possible.isEmpty() ? 0 : possible.getLast().bytes;
    }
  }

  private final Tally tally;
  private final Map<String, Entry> entries = new LinkedHashMap<>();
  private long liveBytes;

  Ledger(Tally tally) {
    this.tally = tally;
  }

  /** The bytes of the latest intended content of all names. */
  long liveBytes() {
    return liveBytes;
  }

  /** The names that may exist, the oldest first. */
  List<String> names() {
    return List.copyOf(entries.keySet());
  }

  /** One of the names, or null if there is none. */
  @Nullable String any(SplittableRandom random) {
    List<String> names = names();
    return names.isEmpty() ? null : names.get(random.nextInt(names.size()));
  }

  /** Records a write before it is attempted. */
  void intend(String name, Version version) {
    Entry entry = entries.computeIfAbsent(name, each -> new Entry());
    liveBytes += version.bytes - entry.latestBytes();
    entry.possible.add(version);
  }

  void acknowledged(String name, Version version) {
    Entry entry = require(name);
    entry.possible.clear();
    entry.possible.add(version);
    entry.mayBeAbsent = false;
    tally.acknowledgedBytes.addAndGet(version.bytes);
  }

  /** Records a deletion before it is attempted. */
  void intendNothing(String name) {
    require(name).mayBeAbsent = true;
  }

  void deleted(String name) {
    liveBytes -= require(name).latestBytes();
    entries.remove(name);
  }

  /**
   * Compares the content that was found, and counts errors.
   *
   * @param found null if there is nothing
   */
  void check(String name, @Nullable ByteBuffer found) {
    Entry entry = require(name);
    if (found == null) {
      if (!entry.mayBeAbsent) tally.lostBytes.addAndGet(Math.max(1, entry.latestBytes()));
      return;
    }
    int leastWrong = Integer.MAX_VALUE;
    for (Version version : entry.possible) {
      if (version.bytes != found.remaining()) continue;
      leastWrong = Math.min(leastWrong, Content.differing(version.content(), found));
    }
    tally.verifiedBytes.addAndGet(found.remaining());
    if (leastWrong == Integer.MAX_VALUE) {
      tally.lostBytes.addAndGet(Math.max(1, entry.latestBytes()));
    } else {
      tally.wrongBytes.addAndGet(leastWrong);
    }
  }

  private Entry require(String name) {
    Entry entry = entries.get(name);
    if (entry == null) throw new IllegalArgumentException("nothing was meant for " + name);
    return entry;
  }
}
