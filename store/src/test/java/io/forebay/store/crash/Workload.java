// SPDX-License-Identifier: Apache-2.0

package io.forebay.store.crash;

import io.forebay.base.FileId;
import io.forebay.base.MonotonicClock;
import io.forebay.base.RecordId;
import io.forebay.store.Store;
import io.forebay.store.StoreEvents;
import io.forebay.store.crash.LedgerLine.Upkeep;
import io.forebay.store.directory.LogDirectory;
import io.forebay.store.directory.LogUnavailable;
import io.forebay.store.files.LocalFiles;
import io.forebay.store.log.RecordHeader;
import io.forebay.store.log.Scope;
import io.forebay.store.record.Level;
import io.forebay.store.segment.Reservation;
import io.forebay.store.segment.Reserve;
import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * A process that does to a log whatever can be done, at random, until it is killed. It reads its
 * {@link Order} from stdin and tells the ledger to stdout: another process holds it.
 */
final class Workload {
  private static final int IN_FLIGHT_MAX = 8;
  private static final int HELD_MAX = 3;
  private static final int TRIES_MAX = 200;
  private static final int UPKEEP_TURNS_MAX = 5000;
  private static final long PAUSE_NANOS = 20_000;
  private static final int FILES = 6;
  private static final int INSTANCE = 1;
  private static final int SMALL_BYTES_MAX = 4000;

  /** Shares of what the last tier holds, small enough that there is always room in the end. */
  private static final int LOOSE_SHARE = 10;

  private static final int FILE_SHARE = 40;

  /** A record that has been written for a file and can be shown in it. */
  private record Publishable(FileId file, RecordId record, int payloadBytes) {}

  /** A record that no file is to show. */
  private record Loose(long sequence, int payloadBytes) {}

  /** A reservation that is left open for a while. */
  private record Held(long number, Reservation reservation, Runnable acknowledged) {}

  private final Order order;
  private final Store store;
  private final LocalFiles files;
  private final Teller teller;
  private final Payload payload;
  private final SplittableRandom random;
  private final long lastTierBytes;
  private final Deque<Loose> loose = new ArrayDeque<>();
  private final List<Publishable> publishable = new ArrayList<>();
  private final List<Held> held = new ArrayList<>();
  private long looseBytes;
  private long sequence;

  private Workload(Order order, Store store, LocalFiles files, Teller teller) {
    this.order = order;
    this.store = store;
    this.files = files;
    this.teller = teller;
    this.payload = new Payload(order.payloadSeed());
    this.random = new SplittableRandom(order.seed());
    this.lastTierBytes =
        order.config().hasSsd() ? order.config().ssdBytes() : order.config().memoryBytes();
  }

  public static void main(String[] arguments)
      throws IOException, LogUnavailable, LocalFiles.BrokenJournal {
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    String line = in.readLine();
    if (line == null) return;
    Order order = Order.parse(line);
    try (LogDirectory log =
            LogDirectory.open(
                LogDirectory.Options.create(order.directory(), order.config())
                    .withMemoryRoot(order.memory()),
                MonotonicClock.system(),
                new SplittableRandom(),
                StoreEvents.NONE,
                () -> {});
        FileOutputStream out = new FileOutputStream(FileDescriptor.out)) {
      LocalFiles files = LocalFiles.open(log.store());
      new Workload(order, log.store(), files, new Teller(out)).run();
    }
  }

  private void run() {
    teller.tell(new LedgerLine.Ready());
    for (Scope.Records records : order.forgotten()) kill(records);
    List<Runnable> choices = choices();
    for (int acts = 0; acts < order.actsMax(); acts++) {
      choices.get(random.nextInt(choices.size())).run();
      turn();
      while (teller.inFlight() > IN_FLIGHT_MAX) pause();
    }
  }

  /** Everything there is to do, each as often as it shall come up. */
  private List<Runnable> choices() {
    List<Runnable> choices = new ArrayList<>();
    choices.addAll(Collections.nCopies(30, () -> writeLoose(level())));
    choices.addAll(Collections.nCopies(25, this::writeForFile));
    choices.addAll(Collections.nCopies(20, this::publish));
    choices.addAll(Collections.nCopies(3, this::truncate));
    choices.addAll(Collections.nCopies(2, this::delete));
    choices.addAll(Collections.nCopies(4, this::killLoose));
    choices.addAll(Collections.nCopies(2, this::cleanFile));
    choices.add(this::cleanLoose);
    choices.add(this::evict);
    choices.addAll(Collections.nCopies(4, this::endHeld));
    choices.add(files::rewriteJournal);
    choices.addAll(Collections.nCopies(3, this::spill));
    choices.addAll(Collections.nCopies(4, this::compact));
    return choices;
  }

  private Level level() {
    return order.config().hasSsd() && random.nextBoolean() ? Level.FORCED : Level.KEPT;
  }

  /** A file's records and its changes are as safe as each other. */
  private Level level(FileId file) {
    return order.config().hasSsd() && file.number() % 2 == 0 ? Level.FORCED : Level.KEPT;
  }

  private FileId file() {
    return new FileId(INSTANCE, 1 + random.nextInt(FILES));
  }

  private int payloadBytes() {
    int most = random.nextInt(4) == 0 ? store.config().payloadBytesMax() : SMALL_BYTES_MAX;
    return random.nextInt(1, most + 1);
  }

  private void writeLoose(Level level) {
    if (looseBytes > lastTierBytes / LOOSE_SHARE) {
      killLoose();
      return;
    }
    RecordId id = new RecordId(order.session(), sequence++);
    int bytes = payloadBytes();
    write(
        RecordHeader.data(id, new FileId(INSTANCE, 0), 0, bytes),
        level,
        () -> {
          loose.add(new Loose(id.sequence(), bytes));
          looseBytes += bytes;
        });
  }

  private void writeForFile() {
    FileId file = file();
    RecordId id = new RecordId(order.session() + 1, sequence++);
    int bytes = payloadBytes();
    write(
        RecordHeader.data(id, file, 0, bytes),
        level(file),
        () -> publishable.add(new Publishable(file, id, bytes)));
  }

  private void write(RecordHeader header, Level level, Runnable acknowledged) {
    long number = teller.intend(level, new Act.Write(header.id(), header.payloadBytes()));
    Reserve reserve = store.reserve(header, level);
    for (int tries = 0; tries < TRIES_MAX && reserve instanceof Reserve.Full; tries++) {
      pause();
      reserve = store.reserve(header, level);
    }
    if (!(reserve instanceof Reserve.Reserved reserved)) {
      teller.refused(number);
      return;
    }
    Held record = new Held(number, reserved.reservation(), acknowledged);
    if (held.size() < HELD_MAX && random.nextInt(10) == 0) held.add(record);
    else commit(record);
  }

  private void commit(Held record) {
    payload.fill(record.reservation.header().id(), record.reservation.payload());
    teller.answered(
        record.number,
        store.commit(record.reservation, null, teller.waiter(record.number, record.acknowledged)),
        record.acknowledged);
  }

  private void endHeld() {
    if (held.isEmpty()) return;
    Held record = held.remove(random.nextInt(held.size()));
    if (random.nextInt(4) > 0) {
      commit(record);
    } else {
      store.abandon(record.reservation);
      teller.refused(record.number);
    }
  }

  private void publish() {
    if (publishable.isEmpty()) return;
    Publishable record = publishable.remove(random.nextInt(publishable.size()));
    long offset = random.nextLong(lastTierBytes / FILE_SHARE);
    Level level = level(record.file);
    Act act = new Act.Publish(record.file, offset, record.record, record.payloadBytes);
    List<LocalFiles.Piece> pieces =
        List.of(LocalFiles.Piece.whole(offset, record.record, record.payloadBytes));
    long number = teller.intend(level, act);
    boolean done =
        teller.answered(
            number,
            files.publish(record.file, pieces, level, teller.waiter(number, () -> {})),
            () -> {});
    if (!done) publishable.add(record);
  }

  private void truncate() {
    FileId file = file();
    long size = random.nextLong(lastTierBytes / FILE_SHARE);
    long number = teller.intend(level(file), new Act.Truncate(file, size));
    teller.answered(
        number, files.truncate(file, size, level(file), teller.waiter(number, () -> {})), () -> {});
  }

  private void delete() {
    FileId file = file();
    long number = teller.intend(level(file), new Act.Delete(file));
    teller.answered(
        number, files.delete(file, level(file), teller.waiter(number, () -> {})), () -> {});
  }

  private void cleanFile() {
    FileId file = file();
    long number = teller.intend(level(file), new Act.CleanFile(file));
    long age = random.nextInt(100);
    teller.answered(
        number, files.markClean(file, age, level(file), teller.waiter(number, () -> {})), () -> {});
  }

  private void cleanLoose() {
    Loose oldest = loose.peekFirst();
    if (oldest == null) return;
    Scope.Records records = from(oldest, random.nextInt(10));
    Level level = level();
    long number = teller.intend(level, new Act.Clean(records));
    teller.answered(
        number,
        store.markClean(
            random.nextInt(100), List.of(records), level, teller.waiter(number, () -> {})),
        () -> {});
  }

  /** Kills some of the oldest records; those under way between them too. */
  private void killLoose() {
    Loose oldest = loose.peekFirst();
    if (oldest == null) return;
    Scope.Records records = from(oldest, random.nextInt(20));
    while (!loose.isEmpty() && loose.getFirst().sequence <= records.toSequence()) {
      looseBytes -= loose.removeFirst().payloadBytes;
    }
    kill(records);
  }

  /** Names a record and some that come after it; none that is still to be begun. */
  private Scope.Records from(Loose oldest, int more) {
    long to = Math.min(oldest.sequence + more, sequence - 1);
    return new Scope.Records(order.session(), oldest.sequence, to);
  }

  private void kill(Scope.Records records) {
    Level level = level();
    long number = teller.intend(level, new Act.Kill(records));
    teller.answered(
        number, store.kill(List.of(records), level, teller.waiter(number, () -> {})), () -> {});
  }

  private void evict() {
    store.evict(random.nextLong(1, lastTierBytes / FILE_SHARE));
  }

  private void spill() {
    if (!order.config().hasSsd()) return;
    if (random.nextBoolean()) store.seal();
    upkeep(Upkeep.SPILL, store::spillOldest);
  }

  private void compact() {
    if (random.nextInt(4) == 0) store.seal();
    upkeep(Upkeep.COMPACTION, store::compactEmptiest);
  }

  /** Begins something and sees it through, while writes that need no disk go on. */
  private void upkeep(Upkeep upkeep, BooleanSupplier begin) {
    teller.tell(new LedgerLine.Begin(upkeep));
    if (begin.getAsBoolean()) {
      for (int turns = 0; turns < UPKEEP_TURNS_MAX && store.poll(); turns++) {
        if (random.nextInt(20) == 0) writeLoose(Level.KEPT);
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    }
    teller.tell(new LedgerLine.End(upkeep));
  }

  private void turn() {
    files.upkeep();
    store.poll();
  }

  private void pause() {
    turn();
    LockSupport.parkNanos(PAUSE_NANOS);
  }
}
