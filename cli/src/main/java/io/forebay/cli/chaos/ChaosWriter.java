package io.forebay.cli.chaos;

import io.forebay.base.MonotonicClock;
import io.forebay.client.Forebay;
import io.forebay.client.ForebayFile;
import io.forebay.client.ForebayOptions;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * One client that writes, replaces, reads and deletes files and pairs of its own, and remembers
 * what it meant to do and what was acknowledged. Works on its own thread; looked at when that has
 * ended.
 */
final class ChaosWriter {
  /** Longer than any fault lasts: what is promised may be late, and must come. */
  static final Duration TIMEOUT = Duration.ofMinutes(2);

  private static final int FILE_BYTES_MAX = 4 << 20;
  private static final int VALUE_BYTES_MAX = 128 << 10;
  private static final int KEYS = 16;
  private static final long LIVE_BYTES_MAX = 40L << 20;

  /** What should be there: exactly one of those that may be. */
  private record Version(long seed, int bytes) {}

  /** What may stand under a name: what was acknowledged last, or anything that was meant since. */
  private static final class Entry {
    final List<Version> possible = new ArrayList<>();
    boolean mayBeAbsent = true;
  }

  /** An operation on the ring. */
  private interface Operation {
    void run() throws IOException;
  }

  private final String name;
  private final String uri;
  private final SplittableRandom random;
  private final Tally tally;
  private final MonotonicClock clock = MonotonicClock.system();
  private final Map<String, Entry> files = new LinkedHashMap<>();
  private final Map<String, Entry> pairs = new LinkedHashMap<>();
  private long liveBytes;
  private int made;

  ChaosWriter(String name, String uri, long seed, Tally tally) {
    this.name = name;
    this.uri = uri;
    this.random = new SplittableRandom(seed);
    this.tally = tally;
  }

  private Forebay connect() throws IOException {
    return Forebay.connect(uri, ForebayOptions.defaults().withTimeout(TIMEOUT));
  }

  /** Works until it is told to end. */
  void work(Ending ending) throws IOException {
    try (Forebay client = connect()) {
      while (!ending.isNear()) {
        int choice = random.nextInt(100);
        if (liveBytes > LIVE_BYTES_MAX) deleteOldest(client);
        else if (choice < 45) writeFile(client, "/" + name + "-" + made++);
        else if (choice < 60) writeFile(client, someFile());
        else if (choice < 85) putPair(client, name + "-" + random.nextInt(KEYS));
        else checkFile(client, someFile());
      }
    }
  }

  /** Told when to stop. */
  interface Ending {
    boolean isNear();
  }

  private String someFile() {
    List<String> names = List.copyOf(files.keySet());
    return names.isEmpty() ? "/" + name + "-" + made++ : names.get(random.nextInt(names.size()));
  }

  private void writeFile(Forebay client, String path) throws IOException {
    Version version = new Version(random.nextLong(), 1 + random.nextInt(FILE_BYTES_MAX));
    Entry entry = files.computeIfAbsent(path, each -> new Entry());
    liveBytes += version.bytes - latestBytes(entry);
    // A whole new file under another name, put in the place of the old one in one step: a reader
    // finds the one or the other.
    String part = path + ".part";
    entry.possible.add(version);
    boolean done =
        attempt(
            () -> {
              try (ForebayFile file =
                  client.open(
                      part,
                      StandardOpenOption.CREATE,
                      StandardOpenOption.TRUNCATE_EXISTING,
                      StandardOpenOption.WRITE)) {
                file.write(Content.of(version.seed, version.bytes), 0);
              }
              client.rename(part, path);
            });
    if (done) acknowledged(entry, version);
  }

  private void putPair(Forebay client, String key) throws IOException {
    Version version = new Version(random.nextLong(), random.nextInt(VALUE_BYTES_MAX));
    Entry entry = pairs.computeIfAbsent(key, each -> new Entry());
    entry.possible.add(version);
    boolean done = attempt(() -> client.pairs().put(key, Content.of(version.seed, version.bytes)));
    if (done) acknowledged(entry, version);
  }

  private void deleteOldest(Forebay client) throws IOException {
    Map.Entry<String, Entry> oldest = files.entrySet().iterator().next();
    String path = oldest.getKey();
    Entry entry = oldest.getValue();
    checkFile(client, path);
    entry.mayBeAbsent = true;
    liveBytes -= latestBytes(entry);
    boolean done = attempt(() -> client.unlink(path));
    if (done) files.remove(path);
  }

  private static int latestBytes(Entry entry) {
    return entry.possible.isEmpty() ? 0 : entry.possible.getLast().bytes;
  }

  private void acknowledged(Entry entry, Version version) {
    entry.possible.clear();
    entry.possible.add(version);
    entry.mayBeAbsent = false;
    tally.acknowledgedBytes.addAndGet(version.bytes);
  }

  /** Does something and says whether it was done; if it failed it may still have been. */
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
      tally.waited(clock.nanos() - startNanos);
    }
  }

  /** Reads everything back, through a new client. */
  void checkAll() throws IOException {
    try (Forebay client = connect()) {
      for (String path : files.keySet()) checkFile(client, path);
      for (String key : pairs.keySet()) checkPair(client, key);
    }
  }

  private void checkFile(Forebay client, String path) throws IOException {
    Entry entry = files.get(path);
    if (entry == null) return;
    try (ForebayFile file = client.open(path, StandardOpenOption.READ)) {
      ByteBuffer found = ByteBuffer.allocate(Math.toIntExact(file.size()));
      while (found.hasRemaining() && file.read(found, found.position()) >= 0) {}
      compare(entry, found.flip());
    } catch (NoSuchFileException e) {
      if (!entry.mayBeAbsent) tally.lostBytes.addAndGet(latestBytes(entry));
    }
  }

  private void checkPair(Forebay client, String key) throws IOException {
    Entry entry = pairs.get(key);
    byte[] value = client.pairs().get(key);
    if (entry == null) return;
    if (value != null) compare(entry, ByteBuffer.wrap(value));
    else if (!entry.mayBeAbsent) tally.lostBytes.addAndGet(latestBytes(entry));
  }

  private void compare(Entry entry, ByteBuffer found) {
    int leastWrong = Integer.MAX_VALUE;
    for (Version version : entry.possible) {
      if (version.bytes != found.remaining()) continue;
      int differing = Content.differing(Content.of(version.seed, version.bytes), found);
      leastWrong = Math.min(leastWrong, differing);
    }
    tally.verifiedBytes.addAndGet(found.remaining());
    if (leastWrong == Integer.MAX_VALUE) tally.lostBytes.addAndGet(Math.max(1, latestBytes(entry)));
    else tally.wrongBytes.addAndGet(leastWrong);
  }
}
