// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.backing;

import io.forebay.backing.AttemptId;
import io.forebay.backing.BackingPath;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The bytes of one attempt in the simulated store, which become a file when it is named. */
public final class StoredContent {
  private record Write(String host, int offset, int length) {}

  public final AttemptId id;
  final BackingPath target;

  /** Its handle in the store. */
  public final String identity;

  /** Machines that lost writes, or may have: their forces fail. */
  final Set<String> unforceable = new TreeSet<>();

  /** Machines that have it open. */
  final Set<String> writers = new TreeSet<>();

  private final byte[] bytes;

  /** The bytes that survive a crash. */
  private final byte[] forced;

  private final List<Write> unforced = new ArrayList<>();

  /** The parts by where they begin, with their lengths. */
  private final TreeMap<Integer, Integer> parts = new TreeMap<>();

  StoredContent(AttemptId id, BackingPath target, String identity, int length) {
    this.id = id;
    this.target = target;
    this.identity = identity;
    this.bytes = new byte[length];
    this.forced = new byte[length];
  }

  int length() {
    return bytes.length;
  }

  /** Whether a crash would leave it as it is. */
  public boolean isForced() {
    return Arrays.equals(bytes, forced);
  }

  public byte[] bytes() {
    return bytes.clone();
  }

  /** Why a store of that kind refuses a write, as a sentence; null if it accepts it. */
  @Nullable String problemWith(
      SimulatedBackingStore.Kind kind, int partBytesMin, int offset, int length) {
    if (offset < 0 || length > bytes.length - offset) {
      return "%s has %d bytes, and %d are written at %d"
          .formatted(id, bytes.length, length, offset);
    }
    boolean last = offset + length == bytes.length;
    if (kind != SimulatedBackingStore.Kind.ANYWHERE && length < partBytesMin && !last) {
      return "a part of %d bytes at %d of %s".formatted(length, offset, id);
    }
    if (kind == SimulatedBackingStore.Kind.APPENDED && offset > end()) {
      return "%s is appended to, ends at %d and is written at %d".formatted(id, end(), offset);
    }
    Integer again = parts.get(offset);
    boolean overlaps =
        parts.headMap(offset).entrySet().stream()
                .anyMatch(part -> part.getKey() + part.getValue() > offset)
            || !parts.subMap(offset + 1, Math.max(offset + 1, offset + length)).isEmpty()
            || (again != null && again != length);
    boolean inParts = kind != SimulatedBackingStore.Kind.ANYWHERE;
    return inParts && overlaps ? "parts of %s overlap at %d".formatted(id, offset) : null;
  }

  private int end() {
    return parts.isEmpty() ? 0 : parts.lastKey() + parts.lastEntry().getValue();
  }

  /** Whether there is a part for every byte. */
  boolean isWhole() {
    int at = 0;
    for (var part : parts.entrySet()) {
      if (part.getKey() != at) return false;
      at += part.getValue();
    }
    return at == bytes.length;
  }

  void write(String host, int offset, List<ByteBuffer> source) {
    int at = offset;
    for (ByteBuffer part : source) {
      int length = part.remaining();
      part.get(bytes, at, length);
      at += length;
    }
    parts.put(offset, at - offset);
    // A repeated identical write changes nothing, at any time.
    boolean there = Arrays.equals(bytes, offset, at, forced, offset, at);
    if (!there) unforced.add(new Write(host, offset, at - offset));
    writers.add(host);
  }

  /** Whether something was written that begins there. */
  boolean has(int offset) {
    return parts.containsKey(offset);
  }

  void flip(int at) {
    bytes[at] ^= 1;
  }

  void force(String host) {
    for (Write write : List.copyOf(unforced)) {
      if (!write.host.equals(host)) continue;
      int end = write.offset + write.length;
      System.arraycopy(bytes, write.offset, forced, write.offset, end - write.offset);
      unforced.remove(write);
    }
  }

  /**
   * Unforced writes are lost.
   *
   * @param host the machine whose writes are lost; empty for all
   * @param random decides about each write; null if all are lost
   */
  void loseUnforced(String host, @Nullable SplittableRandom random) {
    List<Write> kept = new ArrayList<>();
    byte[] before = bytes.clone();
    for (Write write : List.copyOf(unforced)) {
      boolean others = !host.isEmpty() && !write.host.equals(host);
      boolean stays = others || (random != null && random.nextBoolean());
      if (stays) {
        kept.add(write);
      } else {
        unforced.remove(write);
        unforceable.add(write.host);
      }
    }
    System.arraycopy(forced, 0, bytes, 0, bytes.length);
    for (Write write : kept) {
      System.arraycopy(before, write.offset, bytes, write.offset, write.length);
    }
  }

  int read(int offset, ByteBuffer target) {
    int length = Math.min(target.remaining(), Math.max(0, bytes.length - offset));
    if (length > 0) target.put(bytes, offset, length);
    return length;
  }

  /** The first difference from the expected bytes, or -1. */
  public int mismatch(byte[] expected) {
    return Arrays.mismatch(bytes, expected);
  }
}
