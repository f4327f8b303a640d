// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.repair;

import io.forebay.base.FileId;
import io.forebay.base.RecordId;
import io.forebay.base.Timers;
import io.forebay.seat.part.Basics;
import io.forebay.seat.part.Loop;
import io.forebay.store.Store;
import io.forebay.store.record.ReadResult;
import io.forebay.wire.Connection;
import io.forebay.wire.Limit;
import io.forebay.wire.LimitCounts;
import io.forebay.wire.message.Data;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Replies;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * Verifies checksums of records on request, so that a client can check a checkpoint without
 * fetching it. One record after the other, some per turn of the loop.
 */
public final class ChecksumCheck {
  private static final int QUESTIONS_MAX = Math.toIntExact(Limit.CHECKSUM_REQUESTS.value());

  /** The bytes to verify per turn. */
  private static final long TURN_BYTES = 4L * 1024 * 1024;

  private static final long PAUSE_NANOS = 10_000_000L;

  private static final class Question {
    final Connection connection;
    final long request;
    final int instance;
    final ArrayDeque<RecordId> next;
    final List<Data.Lacking> lacking = new ArrayList<>();

    Question(Connection connection, long request, Data.AskSound message) {
      this.connection = connection;
      this.request = request;
      this.instance = message.instance();
      this.next = new ArrayDeque<>(message.records());
    }
  }

  private final Timers timers;
  private final Store store;
  private final Loop loop;
  private final CorruptRecordRepair mending;
  private final LimitCounts limits;
  private final ArrayDeque<Question> waiting = new ArrayDeque<>();
  private boolean reading;

  public ChecksumCheck(Basics basics, CorruptRecordRepair mending) {
    this.timers = basics.timers();
    this.store = basics.store();
    this.loop = basics.loop();
    this.mending = mending;
    this.limits = basics.counters().limits();
  }

  public void ask(Connection connection, long request, Data.AskSound message) {
    if (message.records().size() > Data.SOUND_RECORDS_MAX) {
      refuse(connection, request, ErrorCode.INVALID, message.records().size() + " records");
    } else if (waiting.size() >= QUESTIONS_MAX) {
      limits.reached(Limit.CHECKSUM_REQUESTS);
      refuse(connection, request, ErrorCode.BUSY, "too much is being compared");
    } else {
      waiting.add(new Question(connection, request, message));
      loop.wake();
    }
  }

  private static void refuse(Connection connection, long request, ErrorCode code, String detail) {
    connection.send(request, new Replies.Failed(code, detail));
  }

  public void poll() {
    long bytes = 0;
    while (!reading && !waiting.isEmpty() && bytes < TURN_BYTES) {
      Question question = waiting.element();
      RecordId record = question.next.peek();
      if (record == null) {
        waiting.remove();
        question.connection.send(question.request, new Data.LackingAre(question.lacking));
        continue;
      }
      FileId file = store.file(record);
      boolean here = file != null && file.instance() == question.instance;
      if (here && store.present(record)) {
        bytes += store.payloadBytes(record);
        reading = true;
        store.verify(record, result -> verified(question, record, result));
      } else {
        lacks(question, record);
      }
    }
    if (!reading && !waiting.isEmpty()) loop.wake();
  }

  private void verified(Question question, RecordId record, ReadResult result) {
    if (result instanceof ReadResult.Busy) {
      // Other reads have all the memory for it.
      timers.after(PAUSE_NANOS, this::goOn);
      return;
    }
    goOn();
    switch (result) {
      case ReadResult.Bytes bytes -> {
        bytes.slice().close();
        question.next.remove();
      }
      case ReadResult.Busy busy -> throw new IllegalStateException("busy and done");
      case ReadResult.Absent absent -> lacks(question, record);
      case ReadResult.Damaged damaged -> lacks(question, record);
      case ReadResult.Failed failed -> lacks(question, record);
    }
  }

  private void goOn() {
    reading = false;
    loop.wake();
  }

  private void lacks(Question question, RecordId record) {
    question.next.remove();
    question.lacking.add(new Data.Lacking(record, mending.damagedSince(record)));
  }
}
