// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.checkpoint;

import io.forebay.base.GroupId;
import io.forebay.base.RecordId;
import io.forebay.base.SeatId;
import io.forebay.client.core.ClientCore;
import io.forebay.client.failure.FileRefusedException;
import io.forebay.client.failure.ForebayException;
import io.forebay.client.file.FileStat;
import io.forebay.client.loop.ClientLoop;
import io.forebay.ring.Group;
import io.forebay.ring.RingMap;
import io.forebay.wire.message.Data;
import io.forebay.wire.message.Identity;
import io.forebay.wire.message.Names;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Searches for published bytes that no seat can deliver: asks the members of each run's group
 * whether they have the record. Any thread, one at a time.
 */
public final class LossSearch {
  private static final int RUNS = 4096;
  private static final int ASKED_AT_ONCE = 4096;

  /** How much a seat verifies before it answers. */
  private static final long COMPARED_BYTES = 8L * 1024 * 1024;

  private static final int COMPARED_AT_ONCE = 256;

  /** The maximum number of pending questions, mostly to the homes of different groups. */
  private static final int QUESTIONS_MAX = 16;

  private record Seen(String name, boolean pair, long number, Names.Run run) {}

  /** Runs of records that the same seats hold; one request asks for a whole run. */
  private static final class Batch {
    final List<Seen> seen = new ArrayList<>();
    long bytes;
  }

  /** The question to the first of these seats. */
  private record Asked(
      List<SeatId> seats, List<Seen> seen, @Nullable CompletableFuture<Data.LackingAre> first) {}

  private final ClientLoop loop;
  private final ClientCore core;
  private final Identity who;
  private final Consumer<LostRange> lost;
  private final boolean compares;
  private final Map<GroupId, Batch> waiting = new TreeMap<>();
  private final ArrayDeque<Asked> asked = new ArrayDeque<>();
  private final Set<SeatId> silent = new LinkedHashSet<>();

  /**
   * A search without any runs yet.
   *
   * @param compares whether seats verify the checksums of their records; else they report what they
   *     already know
   */
  public LossSearch(
      ClientLoop loop, ClientCore core, Identity who, boolean compares, Consumer<LostRange> lost) {
    this.compares = compares;
    this.loop = loop;
    this.core = core;
    this.who = who;
    this.lost = lost;
  }

  public void file(String path, long number) throws IOException {
    long at = 0;
    while (true) {
      Names.FindRuns find = new Names.FindRuns(number, at, Long.MAX_VALUE - at, RUNS);
      Names.RunsAre runs = loop.call(path, () -> core.ask(who, root -> find, Names.RunsAre.class));
      for (Names.Run run : runs.runs()) see(new Seen(path, false, number, run));
      if (runs.throughOffset() >= runs.sizeBytes() || runs.throughOffset() <= at) return;
      at = runs.throughOffset();
    }
  }

  public void pair(String key) throws IOException {
    Names.GetPair get = new Names.GetPair(key, Names.PIECES_MAX);
    Names.PairIs pair = loop.call(key, () -> core.ask(who, root -> get, Names.PairIs.class));
    for (Names.Run run : pair.runs().runs()) see(new Seen(key, true, pair.file(), run));
  }

  private void see(Seen seen) throws IOException {
    Batch batch = waiting.computeIfAbsent(seen.run.group(), group -> new Batch());
    batch.seen.add(seen);
    batch.bytes += seen.run.lengthBytes();
    boolean full =
        compares
            ? batch.seen.size() >= COMPARED_AT_ONCE || batch.bytes >= COMPARED_BYTES
            : batch.seen.size() >= ASKED_AT_ONCE;
    if (!full) return;
    waiting.remove(seen.run.group());
    ask(seen.run.group(), batch.seen);
  }

  /** Sends the questions that have not been sent yet. */
  public void finish() throws IOException {
    for (Map.Entry<GroupId, Batch> each : waiting.entrySet()) {
      ask(each.getKey(), each.getValue().seen);
    }
    waiting.clear();
    while (!asked.isEmpty()) settle(asked.remove());
  }

  private void ask(GroupId id, List<Seen> all) throws IOException {
    RingMap map = loop.call(null, () -> CompletableFuture.completedFuture(core.map()));
    Group group = map.group(id);
    List<SeatId> seats =
        group == null ? List.of() : group.members().stream().map(Group.Member::seat).toList();
    asked.add(new Asked(seats, all, seats.isEmpty() ? null : submit(seats.get(0), all)));
    if (asked.size() > QUESTIONS_MAX) settle(asked.remove());
  }

  /** Asks the other members in turn for records that the earlier ones cannot deliver. */
  private void settle(Asked question) throws IOException {
    List<Seen> left = question.seen;
    Map<RecordId, Long> damagedNanos = new HashMap<>();
    boolean awaited = question.seats.isEmpty();
    for (int i = 0; i < question.seats.size() && !left.isEmpty(); i++) {
      SeatId seat = question.seats.get(i);
      Map<RecordId, Long> lacking = answer(seat, i == 0 ? question.first : submit(seat, left));
      if (lacking == null) {
        awaited = true;
        continue;
      }
      left = left.stream().filter(seen -> lacking.containsKey(seen.run.record())).toList();
      lacking.forEach(
          (record, nanos) -> {
            if (nanos > 0) damagedNanos.merge(record, nanos, Math::min);
          });
    }
    for (Seen seen : left) tell(seen, awaited, damagedNanos.get(seen.run.record()));
  }

  /** Asks a seat, unless it did not answer before: each time would take as long. */
  private @Nullable CompletableFuture<Data.LackingAre> submit(SeatId seat, List<Seen> all) {
    if (silent.contains(seat)) return null;
    List<RecordId> records = all.stream().map(seen -> seen.run.record()).distinct().toList();
    return loop.submit(() -> compares ? core.askSound(seat, records) : core.askHeld(seat, records));
  }

  /** Which records a seat lacks, and since when; null if it does not answer. */
  private @Nullable Map<RecordId, Long> answer(
      SeatId seat, @Nullable CompletableFuture<Data.LackingAre> question) throws IOException {
    if (question == null) return null;
    try {
      Map<RecordId, Long> lacking = new HashMap<>();
      for (Data.Lacking each : loop.await(question, null).records()) {
        lacking.put(each.record(), each.sinceNanos());
      }
      return lacking;
    } catch (ForebayException e) {
      silent.add(seat);
      return null;
    }
  }

  private void tell(Seen seen, boolean awaited, @Nullable Long damagedNanos) throws IOException {
    if (!stillThere(seen)) return;
    lost.accept(
        new LostRange(
            seen.name,
            seen.pair,
            seen.run.offset(),
            seen.run.lengthBytes(),
            seen.run.group(),
            awaited,
            damagedNanos == null ? null : FileStat.instant(damagedNanos)));
  }

  /** Whether the record is still part of it. A record that was replaced since is not lost. */
  private boolean stillThere(Seen seen) throws IOException {
    Names.FindRuns find =
        new Names.FindRuns(seen.number, seen.run.offset(), seen.run.lengthBytes(), RUNS);
    try {
      Names.RunsAre runs =
          loop.call(seen.name, () -> core.ask(who, root -> find, Names.RunsAre.class));
      return runs.runs().stream().anyMatch(run -> run.record().equals(seen.run.record()));
    } catch (FileRefusedException | NoSuchFileException gone) {
      return false;
    }
  }
}
