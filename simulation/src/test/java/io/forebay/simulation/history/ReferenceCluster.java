// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.history;

import io.forebay.base.FileId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.TreeMap;

/**
 * The promises as a program: files and pairs that several clients use at once, in one thread, with
 * operations that take time, get lost, happen late or never. Its histories are correct, unless it
 * is told to make one kind of mistake.
 */
final class ReferenceCluster {
  /** What can go wrong on purpose. */
  enum Mistake {
    NONE,
    STALE_READ,
    LOST_PIECE,
    TORN_PIECE,
    WRONG_ORDER,
    PUBLISHED_TWICE,
    RESURRECTED,
    OTHER_FILE,
    OWN_IGNORED,
    STALE_PAIR,
    TORN_PAIR,
    LOST_PUT
  }

  /** How much happens. */
  record Scale(int clients, int files, int fileBytes, int keys, int operations) {}

  private static final int IN_FLIGHT_MAX = 4;
  private static final int WRITE_BYTES_MAX = 24;
  private static final int PAIR_BYTES = 8;
  private static final int MISTAKE_ONE_IN = 10;

  /** Nanoseconds that a step takes, at most. */
  private static final int SHORT = 30;

  private static final int LONG = 400;

  private record Event(long nanos, long sequence, Runnable what) {}

  private static final class Piece {
    /** Its value, which also tells the order of writing. */
    final long value;

    final int from;
    final int to;
    boolean landed;
    boolean published;

    Piece(long value, int from, int to) {
      this.value = value;
      this.from = from;
      this.to = to;
    }
  }

  /** Publishes the values up to one. */
  private record Sync(Operation operation, long upTo) {}

  /** A client's view of a file. */
  private static final class Local {
    final List<Piece> unpublished = new ArrayList<>();
    final ArrayDeque<Sync> syncs = new ArrayDeque<>();
    boolean publishing;
    boolean closing;

    /** What was written before a sync. */
    List<Piece> before(Sync sync) {
      return unpublished.stream().filter(piece -> piece.value <= sync.upTo()).toList();
    }
  }

  private static final class Client {
    final int id;
    final Map<FileId, Local> locals = new TreeMap<>();
    int inFlight;
    boolean dead;
    boolean sessionOver;

    Client(int id) {
      this.id = id;
    }

    Local local(FileId file) {
      return locals.computeIfAbsent(file, f -> new Local());
    }
  }

  private final History history = new History();
  private final Random random;
  private final Scale scale;
  private final Mistake mistake;
  private final PriorityQueue<Event> events =
      new PriorityQueue<>(
          Comparator.comparingLong(Event::nanos).thenComparingLong(Event::sequence));
  private final Map<FileId, long[]> contents = new TreeMap<>();
  private final Map<FileId, long[]> oldContents = new TreeMap<>();
  private final Map<String, Long> pairs = new TreeMap<>();
  private final Map<String, Long> oldPairs = new TreeMap<>();
  private long nowNanos;
  private long sequences;
  private long values;
  private int clientIds;
  private int operationsLeft;
  private boolean calm;

  ReferenceCluster(long seed, Scale scale, Mistake mistake) {
    this.random = new Random(seed);
    this.scale = scale;
    this.mistake = mistake;
    this.operationsLeft = scale.operations();
    for (int i = 0; i < scale.files(); i++) {
      contents.put(file(i), new long[scale.fileBytes()]);
      oldContents.put(file(i), new long[scale.fileBytes()]);
    }
  }

  History run() {
    for (int i = 0; i < scale.clients(); i++) start();
    runEvents();
    // In the end everything has happened that will; whoever comes then sees what is left.
    calm = true;
    for (int round = 0; round < 2; round++) {
      Client last = new Client(clientIds++);
      for (FileId file : contents.keySet()) read(last, file, 0, scale.fileBytes());
      for (int i = 0; i < scale.keys(); i++) get(last, "key" + i);
      runEvents();
    }
    return history;
  }

  private static FileId file(int i) {
    return new FileId(1, i + 1L);
  }

  private void runEvents() {
    while (!events.isEmpty()) {
      Event event = events.remove();
      nowNanos = event.nanos();
      event.what().run();
    }
  }

  private void after(int nanosMax, Runnable what) {
    events.add(new Event(nowNanos + random.nextInt(nanosMax), sequences++, what));
  }

  private boolean percent(int percent) {
    return !calm && random.nextInt(100) < percent;
  }

  private boolean goesWrong(Mistake which) {
    return mistake == which && !calm && random.nextInt(MISTAKE_ONE_IN) == 0;
  }

  private void start() {
    Client client = new Client(clientIds++);
    after(SHORT, () -> act(client));
  }

  private void act(Client client) {
    if (client.dead || operationsLeft <= 0) return;
    if (client.inFlight < IN_FLIGHT_MAX) {
      operationsLeft--;
      choose(client);
    }
    after(percent(10) ? LONG : SHORT / 2, () -> act(client));
  }

  private void choose(Client client) {
    FileId file = file(random.nextInt(scale.files()));
    String key = "key" + random.nextInt(Math.max(1, scale.keys()));
    int from = random.nextInt(scale.fileBytes());
    int to = from + 1 + random.nextInt(Math.min(WRITE_BYTES_MAX, scale.fileBytes() - from));
    int kind = random.nextInt(scale.keys() == 0 ? 80 : 100);
    if (kind == 0) die(client);
    else if (kind < 45 && client.local(file).closing) read(client, file, from, to);
    else if (kind < 30) write(client, file, from, to);
    else if (kind < 41) sync(client, file, new Action.Publish(file));
    else if (kind < 43) sync(client, file, new Action.Close(file));
    else if (kind < 45) sync(client, file, new Action.Truncate(file, from));
    else if (kind < 80) read(client, file, from, to);
    else if (kind < 88) put(client, key);
    else if (kind < 92) delete(client, key);
    else get(client, key);
  }

  private Operation begin(Client client, Action action) {
    client.inFlight++;
    return history.begin(client.id, action, nowNanos);
  }

  /** A dead client hears of nothing; some who get no answer wait for it for ever. */
  private void end(Client client, Operation operation, Ending ending) {
    client.inFlight--;
    if (client.dead || (ending instanceof Ending.Unknown && percent(50))) return;
    history.end(operation, ending, nowNanos);
  }

  /** It dies; what it asked for may happen until its session is over. */
  private void die(Client client) {
    client.dead = true;
    Operation end = history.begin(client.id, new Action.EndSession(), nowNanos);
    after(
        LONG,
        () -> {
          client.sessionOver = true;
          if (!percent(20)) history.end(end, new Ending.Done(), nowNanos);
          if (mistake == Mistake.RESURRECTED) {
            client.locals.forEach((file, local) -> enter(file, local.unpublished));
          }
        });
    start();
  }

  private void write(Client client, FileId file, int from, int to) {
    long value = ++values;
    int recordBytes = percent(30) ? 8 : scale.fileBytes();
    Operation write = begin(client, new Action.Write(file, from, to - from, value, recordBytes));
    Local local = client.local(file);
    List<Piece> pieces = new ArrayList<>();
    for (int at = from; at < to; ) {
      int end = Math.min(to, at + recordBytes - at % recordBytes);
      pieces.add(new Piece(value, at, end));
      at = end;
    }
    local.unpublished.addAll(pieces);
    boolean refused = percent(5);
    boolean unknown = !refused && percent(8);
    after(
        SHORT,
        () -> {
          for (Piece piece : pieces) {
            piece.landed = true;
            if (refused || (unknown && percent(50))) local.unpublished.remove(piece);
          }
          Ending ending = unknown ? new Ending.Unknown() : new Ending.Done();
          end(client, write, refused ? new Ending.Refused() : ending);
          pump(client, file, local);
        });
  }

  private void sync(Client client, FileId file, Action action) {
    Local local = client.local(file);
    if (action instanceof Action.Close) local.closing = true;
    local.syncs.add(new Sync(begin(client, action), values));
    pump(client, file, local);
  }

  /** One publish at a time, each when all that it publishes has landed. */
  private void pump(Client client, FileId file, Local local) {
    if (local.publishing || local.syncs.isEmpty()) return;
    List<Piece> batch = local.before(local.syncs.element());
    if (!batch.stream().allMatch(piece -> piece.landed)) return;
    Operation operation = local.syncs.remove().operation();
    local.publishing = true;
    if (operation.action() instanceof Action.Truncate truncate) {
      truncate(client, operation, truncate, batch);
    } else {
      publish(client, file, operation, batch);
    }
  }

  private void publish(Client client, FileId file, Operation operation, List<Piece> batch) {
    int fate = random.nextInt(100);
    if (fate < 4) {
      after(SHORT, () -> published(client, file, operation, batch, new Ending.Refused()));
    } else if (fate < 16) {
      // The answer is lost; it happens before that, or perhaps long after, or never.
      if (fate < 12) after(fate < 8 ? SHORT : LONG, () -> apply(client, file, batch));
      after(2 * SHORT, () -> published(client, file, operation, batch, new Ending.Unknown()));
    } else {
      after(
          SHORT,
          () -> {
            apply(client, file, batch);
            after(SHORT, () -> published(client, file, operation, batch, new Ending.Done()));
          });
    }
  }

  private void published(
      Client client, FileId file, Operation operation, List<Piece> batch, Ending ending) {
    Local local = client.local(file);
    if (ending instanceof Ending.Done) local.unpublished.removeAll(batch);
    if (operation.action() instanceof Action.Close) {
      local.unpublished.clear();
      local.closing = false;
    }
    local.publishing = false;
    end(client, operation, ending);
    pump(client, file, local);
  }

  private void truncate(
      Client client, Operation operation, Action.Truncate truncate, List<Piece> batch) {
    FileId file = truncate.file();
    Local local = client.local(file);
    int fate = random.nextInt(100);
    after(
        SHORT,
        () -> {
          boolean publishes = fate >= 5;
          if (publishes) {
            apply(client, file, batch);
            local.unpublished.removeAll(batch);
          }
          local.publishing = false;
          if (fate < 20) {
            if (fate >= 15) after(LONG, () -> cut(client, truncate));
            Ending ending =
                fate % 2 == 1 || fate >= 15 ? new Ending.Unknown() : new Ending.Refused();
            after(SHORT, () -> end(client, operation, ending));
          } else {
            after(
                SHORT,
                () -> {
                  cut(client, truncate);
                  after(SHORT, () -> end(client, operation, new Ending.Done()));
                });
          }
          pump(client, file, local);
        });
  }

  private void cut(Client client, Action.Truncate truncate) {
    if (client.sessionOver) return;
    long[] content = contents.get(truncate.file());
    Arrays.fill(content, (int) truncate.sizeBytes(), content.length, Run.ZEROS);
  }

  /** Publishes what is not published yet, at once, in order. */
  private void apply(Client client, FileId file, List<Piece> batch) {
    if (client.sessionOver) return;
    List<Piece> pieces = new ArrayList<>(batch);
    pieces.removeIf(piece -> piece.published);
    for (Piece piece : pieces) piece.published = true;
    if (goesWrong(Mistake.LOST_PIECE) && !pieces.isEmpty()) pieces.removeLast();
    enter(file, goesWrong(Mistake.WRONG_ORDER) ? pieces.reversed() : pieces);
    if (goesWrong(Mistake.PUBLISHED_TWICE)) after(LONG, () -> enter(file, pieces));
  }

  private void enter(FileId file, List<Piece> pieces) {
    long[] content = contents.get(file);
    oldContents.put(file, content.clone());
    for (Piece piece : pieces) {
      int to = goesWrong(Mistake.TORN_PIECE) ? (piece.from + piece.to) / 2 : piece.to;
      Arrays.fill(content, piece.from, to, piece.value);
    }
  }

  /** A read looks at its range in up to three steps. */
  private void read(Client client, FileId file, int from, int to) {
    Operation read = begin(client, new Action.Read(file, from, to - from));
    long[] bytes = new long[to - from];
    int first = from + random.nextInt(to - from);
    int second = first + random.nextInt(to - first);
    look(client, file, from, first, bytes, from);
    after(
        SHORT,
        () -> {
          look(client, file, first, second, bytes, from);
          after(
              SHORT,
              () -> {
                look(client, file, second, to, bytes, from);
                Ending ending =
                    percent(3) ? new Ending.Unknown() : new Ending.Saw(runs(bytes, from));
                after(SHORT, () -> end(client, read, ending));
              });
        });
  }

  private void look(Client client, FileId file, int from, int to, long[] bytes, int offset) {
    long[] content = contents.get(file);
    if (goesWrong(Mistake.STALE_READ)) content = oldContents.get(file);
    if (goesWrong(Mistake.OTHER_FILE)) content = contents.get(file(random.nextInt(scale.files())));
    System.arraycopy(content, from, bytes, from - offset, to - from);
    if (goesWrong(Mistake.OWN_IGNORED)) return;
    for (Piece piece : client.local(file).unpublished) {
      int start = Math.max(from, piece.from);
      int end = Math.min(to, piece.to);
      if (start < end) Arrays.fill(bytes, start - offset, end - offset, piece.value);
    }
  }

  private List<Run> runs(long[] bytes, long offset) {
    List<Run> runs = new ArrayList<>();
    int start = 0;
    for (int i = 1; i <= bytes.length; i++) {
      if (i < bytes.length && bytes[i] == bytes[start]) continue;
      boolean told = bytes[start] != Run.ZEROS || random.nextBoolean();
      if (told) runs.add(new Run(offset + start, i - start, bytes[start]));
      start = i;
    }
    return runs;
  }

  private void put(Client client, String key) {
    long value = ++values;
    Operation put = begin(client, new Action.PutPair(key, value, PAIR_BYTES));
    change(
        client,
        put,
        () -> {
          if (goesWrong(Mistake.LOST_PUT)) return new Ending.Done();
          remember(key);
          pairs.put(key, value);
          return new Ending.Done();
        });
  }

  private void delete(Client client, String key) {
    Operation delete = begin(client, new Action.DeletePair(key));
    change(
        client,
        delete,
        () -> {
          remember(key);
          return pairs.remove(key) == null ? new Ending.NotThere() : new Ending.Done();
        });
  }

  private void remember(String key) {
    if (pairs.containsKey(key)) oldPairs.put(key, pairs.get(key));
  }

  private interface PairChange {
    Ending happen();
  }

  private void change(Client client, Operation operation, PairChange change) {
    int fate = random.nextInt(100);
    if (fate < 5) {
      after(SHORT, () -> end(client, operation, new Ending.Refused()));
    } else if (fate < 20) {
      Runnable happen =
          () -> {
            if (!client.sessionOver) change.happen();
          };
      if (fate < 15) after(fate < 10 ? SHORT : LONG, happen);
      after(2 * SHORT, () -> end(client, operation, new Ending.Unknown()));
    } else {
      after(
          SHORT,
          () -> {
            if (client.sessionOver) return;
            Ending ending = change.happen();
            after(SHORT, () -> end(client, operation, ending));
          });
    }
  }

  private void get(Client client, String key) {
    Operation get = begin(client, new Action.GetPair(key));
    after(
        SHORT,
        () -> {
          Long value = goesWrong(Mistake.STALE_PAIR) ? oldPairs.get(key) : pairs.get(key);
          int bytes = goesWrong(Mistake.TORN_PAIR) ? PAIR_BYTES / 2 : PAIR_BYTES;
          Ending ending =
              value == null
                  ? new Ending.NotThere()
                  : new Ending.Saw(List.of(new Run(0, bytes, value)));
          after(SHORT, () -> end(client, get, percent(3) ? new Ending.Unknown() : ending));
        });
  }
}
