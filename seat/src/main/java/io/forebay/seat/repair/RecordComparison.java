// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.repair;

import io.forebay.base.FileId;
import io.forebay.base.RecordId;
import io.forebay.base.SeatId;
import io.forebay.ring.Group;
import io.forebay.ring.Instance;
import io.forebay.seat.part.Basics;
import io.forebay.seat.part.HomeView;
import io.forebay.seat.part.Loop;
import io.forebay.seat.part.MapView;
import io.forebay.seat.part.ProtocolTimes;
import io.forebay.seat.peer.Questions;
import io.forebay.store.RecordWalk;
import io.forebay.store.Store;
import io.forebay.wire.message.Data;
import io.forebay.wire.message.Message;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Scans all records of a group in this seat's log, one segment per call, and asks a member which of
 * them it lacks. Records that arrive during the scan may be missed.
 */
final class RecordComparison {
  /** Gets the records that the member lacks. */
  interface Lacking {
    void lacks(RecordId record, boolean forced);
  }

  private record Known(RecordId record, int payloadBytes) {}

  private static final int ASKED_AT_ONCE = 2048;
  private static final long ANSWER_NANOS = ProtocolTimes.DEFAULT.requests().answerNanos();

  private final MapView maps;
  private final Store store;
  private final Loop loop;
  private final Questions questions;
  private final HomeView home;
  private final SeatId member;
  private final Lacking lacking;

  // At most one segment's records and one batch; by required safety: kept or forced.
  private final ArrayDeque<Known> kept = new ArrayDeque<>();
  private final ArrayDeque<Known> forced = new ArrayDeque<>();
  private @Nullable RecordWalk counting;
  private @Nullable RecordWalk walk;
  private boolean walked;
  private boolean asking;
  private boolean again;
  private long totalBytes;
  private long comparedBytes;

  RecordComparison(
      Basics basics, Questions questions, HomeView home, SeatId member, Lacking lacking) {
    this.maps = basics.maps();
    this.store = basics.store();
    this.loop = basics.loop();
    this.questions = questions;
    this.home = home;
    this.member = member;
    this.lacking = lacking;
  }

  /** All records that are in the log now will be found, unless they are deleted before. */
  void start() {
    again = false;
    walked = false;
    totalBytes = 0;
    comparedBytes = 0;
    counting = store.walk();
    walk = store.walk();
  }

  /** Arrivals were not recorded: the comparison must be repeated. */
  void again() {
    again = true;
  }

  boolean done() {
    return walked && !again && !asking && kept.isEmpty() && forced.isEmpty();
  }

  /** The payloads of all the records, as far as they have been counted. */
  long totalBytes() {
    return Math.max(totalBytes, comparedBytes);
  }

  /** The bytes of records that have been compared. */
  long comparedBytes() {
    return comparedBytes;
  }

  void poll() {
    if (asking || done()) return;
    if (counting != null) {
      if (!counting.next(this::count)) counting = null;
      loop.wake();
      return;
    }
    if (walk != null && kept.size() < ASKED_AT_ONCE && forced.size() < ASKED_AT_ONCE) {
      if (!walk.next(this::found)) {
        walk = null;
        walked = true;
      }
      loop.wake();
      return;
    }
    if (!kept.isEmpty()) ask(kept, false);
    else if (!forced.isEmpty()) ask(forced, true);
    else if (again) start();
  }

  private void count(RecordId record, FileId file, int group, int payloadBytes) {
    if (group == home.group().id().number()) totalBytes += payloadBytes;
  }

  private void found(RecordId record, FileId file, int group, int payloadBytes) {
    if (group != home.group().id().number()) return;
    Instance instance = maps.instance(file.instance());
    boolean safely = instance != null && instance.forced();
    (safely ? forced : kept).add(new Known(record, payloadBytes));
  }

  private void ask(ArrayDeque<Known> from, boolean safely) {
    List<Known> batch = new ArrayList<>();
    while (batch.size() < ASKED_AT_ONCE && !from.isEmpty()) batch.add(from.remove());
    Group group = home.group();
    List<RecordId> records = batch.stream().map(Known::record).toList();
    asking = true;
    questions.ask(
        member,
        new Data.AskMissing(group.id(), group.epoch(), safely, records),
        ANSWER_NANOS,
        reply -> answered(from, safely, batch, reply));
  }

  private void answered(
      ArrayDeque<Known> from, boolean safely, List<Known> batch, @Nullable Message reply) {
    asking = false;
    if (home.stopped()) return;
    if (!(reply instanceof Data.MissingAre missing)) {
      from.addAll(batch);
      return;
    }
    for (Known known : batch) comparedBytes += known.payloadBytes;
    for (RecordId record : missing.records()) lacking.lacks(record, safely);
  }
}
