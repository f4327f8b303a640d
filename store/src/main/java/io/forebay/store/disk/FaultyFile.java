// SPDX-License-Identifier: Apache-2.0

package io.forebay.store.disk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntPredicate;
import java.util.random.RandomGenerator;

/**
 * One file of a {@link FaultyDisk}, as two images: what the operating system shows, which survives
 * the process, and what the device holds, which survives a power cut. A sector is written whole or
 * not at all, and is in one of three states:
 *
 * <ul>
 *   <li>clean: both images agree;
 *   <li>dirty: the system knows that it has newer bytes than the device;
 *   <li>lost: the system has newer bytes but treats them as written, after a failed force. No later
 *       force writes them, unless they are written again first.
 * </ul>
 */
final class FaultyFile {
  static final int SECTOR_BYTES = 512;

  private final String name;
  private final byte[] durable;
  private final BitSet written = new BitSet();
  private final BitSet unreadable = new BitSet();
  // The content of each lost sector when it was lost, to notice later stores into a mapping.
  private final Map<Integer, byte[]> lost = new TreeMap<>();
  // Replaced when the process dies, so that views which outlive it no longer reach the file.
  private byte[] system;
  private boolean mapped;
  private boolean lengthDurable;

  FaultyFile(String name, int bytes) {
    this.name = name;
    this.durable = new byte[bytes];
    this.system = new byte[bytes];
  }

  int bytes() {
    return system.length;
  }

  /** Writes the sectors of a range that the predicate accepts: all, or the part of a torn write. */
  void write(long position, ByteBuffer source, IntPredicate sectorsWritten) throws IOException {
    Requests.requireInside(name, position, source.remaining(), bytes());
    int from = (int) position;
    int to = from + source.remaining();
    int next;
    for (int at = from; at < to; at = next) {
      int sector = at / SECTOR_BYTES;
      next = Math.min(to, (sector + 1) * SECTOR_BYTES);
      if (!sectorsWritten.test(sector)) continue;
      source.get(source.position() + at - from, system, at, next - at);
      written.set(sector);
      lost.remove(sector);
      unreadable.clear(sector);
    }
  }

  void read(long position, ByteBuffer target) throws IOException {
    Requests.requireInside(name, position, target.remaining(), bytes());
    int from = (int) position;
    int bad = unreadable.nextSetBit(from / SECTOR_BYTES);
    if (target.hasRemaining() && bad >= 0 && bad * SECTOR_BYTES < from + target.remaining()) {
      throw new IOException(name + ": sector " + bad + " is unreadable");
    }
    target.put(system, from, target.remaining());
  }

  /** Lets the cache drop lost sectors, which brings their old bytes back. */
  void evictLost(IntPredicate evicted) {
    // Mapped sectors stay in memory here.
    if (mapped) return;
    lost.keySet()
        .removeIf(
            sector -> {
              boolean gone = !written.get(sector) && evicted.test(sector);
              if (gone) copySector(durable, system, sector);
              return gone;
            });
  }

  ByteBuffer map() {
    mapped = true;
    return ByteBuffer.wrap(system);
  }

  boolean isMapped() {
    return mapped;
  }

  /** The sectors that the system would write back, found by comparison where stores go unseen. */
  BitSet dirtySectors() {
    BitSet dirty = (BitSet) written.clone();
    if (!mapped) return dirty;
    for (int sector = 0; start(sector) < bytes(); sector++) {
      if (!sameAsBelieved(sector)) dirty.set(sector);
    }
    return dirty;
  }

  /** Writes back what must be, and of the other dirty sectors any. */
  void force(BitSet mustBeDurable, RandomGenerator random) {
    dirtySectors().stream()
        .filter(sector -> mustBeDurable.get(sector) || random.nextBoolean())
        .forEach(this::makeDurable);
    lengthDurable = true;
  }

  /** Writes any sectors back, forgets that others are dirty, and leaves the rest as they are. */
  void failForce(RandomGenerator random) {
    dirtySectors().stream()
        .forEach(
            sector -> {
              switch (random.nextInt(3)) {
                case 0 -> makeDurable(sector);
                case 1 -> lose(sector);
                default -> {}
              }
            });
  }

  void writeBack(RandomGenerator random) {
    dirtySectors().stream().filter(sector -> random.nextBoolean()).forEach(this::makeDurable);
  }

  /** The file as the next process finds it. */
  void killProcess() {
    BitSet dirty = dirtySectors();
    written.clear();
    written.or(dirty);
    system = system.clone();
    mapped = false;
  }

  /**
   * The file after the power was cut. Dirty sectors are old or new, lost ones old; a file that was
   * never forced may be shorter than it was.
   */
  FaultyFile powerCut(RandomGenerator random) {
    writeBack(random);
    int bytes = lengthDurable || random.nextBoolean() ? bytes() : random.nextInt(bytes() + 1);
    FaultyFile left = new FaultyFile(name, bytes);
    System.arraycopy(durable, 0, left.durable, 0, bytes);
    System.arraycopy(durable, 0, left.system, 0, bytes);
    left.unreadable.or(unreadable.get(0, sectors(bytes)));
    left.lengthDurable = true;
    return left;
  }

  /** Flips a bit on the device and in the cache: decay that was read once already. */
  void flipBit(long bit) {
    int at = Math.toIntExact(bit / Byte.SIZE);
    int mask = 1 << (bit % Byte.SIZE);
    system[at] ^= (byte) mask;
    durable[at] ^= (byte) mask;
    byte[] believed = lost.get(at / SECTOR_BYTES);
    if (believed != null) believed[at % SECTOR_BYTES] ^= (byte) mask;
  }

  /** Makes a sector fail on every read until it is written. */
  void spoilSector(long position) {
    unreadable.set(Math.toIntExact(position / SECTOR_BYTES));
  }

  private void makeDurable(int sector) {
    copySector(system, durable, sector);
    written.clear(sector);
    lost.remove(sector);
  }

  private void lose(int sector) {
    lost.put(sector, Arrays.copyOfRange(system, start(sector), end(sector)));
    written.clear(sector);
  }

  private boolean sameAsBelieved(int sector) {
    int from = start(sector);
    int to = end(sector);
    byte[] believed = lost.get(sector);
    return believed == null
        ? Arrays.equals(system, from, to, durable, from, to)
        : Arrays.equals(system, from, to, believed, 0, believed.length);
  }

  private void copySector(byte[] source, byte[] target, int sector) {
    System.arraycopy(source, start(sector), target, start(sector), end(sector) - start(sector));
  }

  private int end(int sector) {
    return Math.min(start(sector + 1), bytes());
  }

  private static int start(int sector) {
    return sector * SECTOR_BYTES;
  }

  private static int sectors(int bytes) {
    return (bytes + SECTOR_BYTES - 1) / SECTOR_BYTES;
  }
}
