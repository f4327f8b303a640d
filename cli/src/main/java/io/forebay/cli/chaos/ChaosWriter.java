// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.chaos;

import io.forebay.base.MonotonicClock;
import io.forebay.client.Forebay;
import io.forebay.client.ForebayFile;
import io.forebay.client.ForebayOptions;
import io.forebay.server.ring.SlowOperations;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * One client that writes, replaces, overwrites in part, reads and deletes files and pairs of its
 * own, and keeps {@linkplain Ledger ledgers} of them. Works on its own thread; read after that has
 * ended.
 */
final class ChaosWriter {
  /** Longer than any fault lasts: an operation may be late, but must succeed. */
  static final Duration TIMEOUT = Duration.ofMinutes(2);

  private static final int FILE_BYTES_MAX = 4 << 20;
  private static final int VALUE_BYTES_MAX = 128 << 10;
  private static final int KEYS = 16;
  private static final long LIVE_BYTES_MAX = 40L << 20;

  /** A part of a file that is written and synced as a unit; no piece of a write crosses its end. */
  private static final int SLOT_BYTES = 64 << 10;

  private static final int SLOTS = 48;

  /** An operation on the ring. */
  private interface Operation {
    void run() throws IOException;
  }

  /** Says when to stop. */
  interface Ending {
    boolean isNear();
  }

  private final String name;
  private final String uri;
  private final ForebayOptions options;
  private final SplittableRandom random;
  private final Tally tally;
  private final SlowOperations slow = new SlowOperations();
  private final MonotonicClock clock = MonotonicClock.system();
  private final Ledger files;
  private final Ledger pairs;
  private final Ledger slots;
  private int made;

  ChaosWriter(String name, String uri, ForebayOptions options, long seed, Tally tally) {
    this.name = name;
    this.uri = uri;
    this.options = options.withTimeout(TIMEOUT);
    this.random = new SplittableRandom(seed);
    this.tally = tally;
    this.files = new Ledger(tally);
    this.pairs = new Ledger(tally);
    this.slots = new Ledger(tally);
  }

  private Forebay connect() throws IOException {
    return Forebay.connect(uri, options);
  }

  /** Which of its operations had to wait. */
  SlowOperations slow() {
    return slow;
  }

  /** Works until it is asked to stop. */
  void work(Ending ending) throws IOException {
    try (Forebay client = connect()) {
      while (!ending.isNear()) {
        int choice = random.nextInt(100);
        if (files.liveBytes() > LIVE_BYTES_MAX) deleteOldest(client);
        else if (choice < 35) writeFile(client, newFile());
        else if (choice < 50) writeFile(client, someFile());
        else if (choice < 65) writeSlots(client);
        else if (choice < 85) putPair(client, name + "-" + random.nextInt(KEYS));
        else checkSomething(client);
      }
    }
  }

  private String newFile() {
    return "/" + name + "-" + made++;
  }

  private String someFile() {
    String path = files.any(random);
    return path != null ? path : newFile();
  }

  private String slotFile() {
    return "/" + name + "-slots";
  }

  private static String slot(int number) {
    return Integer.toString(number);
  }

  private void writeFile(Forebay client, String path) {
    Ledger.Version version =
        new Ledger.Version(random.nextLong(), 1 + random.nextInt(FILE_BYTES_MAX));
    // A complete new file under another name replaces the old one atomically: a reader finds one or
    // the other.
    String part = path + ".part";
    files.intend(path, version);
    boolean done =
        attempt(
            () -> {
              try (ForebayFile file =
                  client.open(
                      part,
                      StandardOpenOption.CREATE,
                      StandardOpenOption.TRUNCATE_EXISTING,
                      StandardOpenOption.WRITE)) {
                file.write(version.content(), 0);
              }
              client.rename(part, path);
            });
    if (done) files.acknowledged(path, version);
  }

  /** Overwrites some parts of a file in place. */
  private void writeSlots(Forebay client) {
    int first = random.nextInt(SLOTS);
    int end = Math.min(SLOTS, first + 1 + random.nextInt(4));
    Ledger.Version[] versions = new Ledger.Version[SLOTS];
    for (int i = first; i < end; i++) {
      versions[i] = new Ledger.Version(random.nextLong(), SLOT_BYTES);
      slots.intend(slot(i), versions[i]);
    }
    boolean done =
        attempt(
            () -> {
              try (ForebayFile file =
                  client.open(slotFile(), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
                for (int i = first; i < end; i++) {
                  file.write(versions[i].content(), (long) i * SLOT_BYTES);
                }
              }
            });
    if (!done) return;
    for (int i = first; i < end; i++) slots.acknowledged(slot(i), versions[i]);
  }

  private void putPair(Forebay client, String key) {
    Ledger.Version version = new Ledger.Version(random.nextLong(), random.nextInt(VALUE_BYTES_MAX));
    pairs.intend(key, version);
    if (attempt(() -> client.pairs().put(key, version.content()))) pairs.acknowledged(key, version);
  }

  private void deleteOldest(Forebay client) throws IOException {
    String path = files.names().getFirst();
    checkFile(client, path);
    files.intendNothing(path);
    if (attempt(() -> client.unlink(path))) files.deleted(path);
  }

  /** Does an operation and says whether it succeeded; a failed one may still have taken effect. */
  private boolean attempt(Operation operation) {
    long startNanos = clock.nanos();
    tally.operations.incrementAndGet();
    try {
      operation.run();
      return true;
    } catch (NoSuchFileException e) {
      // What may be absent was.
      return true;
    } catch (IOException e) {
      tally.failedOperations.incrementAndGet();
      return false;
    } finally {
      slow.took(startNanos, clock.nanos());
    }
  }

  private void checkSomething(Forebay client) throws IOException {
    long startNanos = clock.nanos();
    tally.operations.incrementAndGet();
    Ledger ledger = random.nextBoolean() ? files : random.nextBoolean() ? pairs : slots;
    String chosen = ledger.any(random);
    if (chosen == null) return;
    if (ledger == files) checkFile(client, chosen);
    else if (ledger == pairs) checkPair(client, chosen);
    else checkSlot(client, chosen);
    slow.took(startNanos, clock.nanos());
  }

  /** Reads everything back, through a new client. */
  void checkAll() throws IOException {
    try (Forebay client = connect()) {
      for (String path : files.names()) checkFile(client, path);
      for (String key : pairs.names()) checkPair(client, key);
      for (String slot : slots.names()) checkSlot(client, slot);
    }
  }

  private void checkFile(Forebay client, String path) throws IOException {
    files.check(path, read(client, path, 0, Integer.MAX_VALUE));
  }

  private void checkPair(Forebay client, String key) throws IOException {
    byte[] value = client.pairs().get(key);
    pairs.check(key, value == null ? null : ByteBuffer.wrap(value));
  }

  private void checkSlot(Forebay client, String slot) throws IOException {
    long offset = (long) Integer.parseInt(slot) * SLOT_BYTES;
    ByteBuffer found = read(client, slotFile(), offset, SLOT_BYTES);
    boolean written = found != null && found.hasRemaining() && !isZero(found);
    slots.check(slot, written ? found : null);
  }

  /** Unwritten bytes read as zeros. */
  private static boolean isZero(ByteBuffer found) {
    return found.mismatch(ByteBuffer.allocate(found.remaining())) < 0;
  }

  private static @Nullable ByteBuffer read(Forebay client, String path, long offset, int bytesMax)
      throws IOException {
    try (ForebayFile file = client.open(path, StandardOpenOption.READ)) {
      long bytes = Math.clamp(file.size() - offset, 0, bytesMax);
      ByteBuffer found = ByteBuffer.allocate(Math.toIntExact(bytes));
      while (found.hasRemaining() && file.read(found, offset + found.position()) >= 0) {}
      return found.flip();
    } catch (NoSuchFileException e) {
      return null;
    }
  }
}
