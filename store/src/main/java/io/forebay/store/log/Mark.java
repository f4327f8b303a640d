// SPDX-License-Identifier: Apache-2.0

package io.forebay.store.log;

import io.forebay.base.FileId;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * The payload of a tombstone or a clean mark: its scopes and, for clean marks, the age of the
 * records, since the oldest are evicted first.
 *
 * <pre>
 *   age     i64
 *   count   u32
 *   scopes  32 bytes each: kind u64 and three u64
 * </pre>
 */
public record Mark(long age, List<Scope> scopes) {
  /** A payload that is no mark. */
  public static final class MalformedMark extends Exception {
    private static final long serialVersionUID = 1;

    MalformedMark(String message) {
      super(message);
    }
  }

  private static final int COUNT_OFFSET = Long.BYTES;
  private static final int SCOPES_OFFSET = COUNT_OFFSET + Integer.BYTES;
  private static final int SCOPE_BYTES = 4 * Long.BYTES;

  private static final int KIND_RECORDS = 1;
  private static final int KIND_FILE = 2;
  private static final int KIND_INSTANCE = 3;
  private static final int KIND_JOURNAL_TAIL = 4;
  private static final int KIND_JOURNAL_HEAD = 5;

  public Mark {
    scopes = List.copyOf(scopes);
  }

  public static int payloadBytes(int scopes) {
    return SCOPES_OFFSET + scopes * SCOPE_BYTES;
  }

  /** How many scopes fit into a payload of that length. */
  public static int scopesMax(int payloadBytes) {
    return (payloadBytes - SCOPES_OFFSET) / SCOPE_BYTES;
  }

  public void write(ByteBuffer payload) {
    payload.putLong(0, age);
    payload.putInt(COUNT_OFFSET, scopes.size());
    int at = SCOPES_OFFSET;
    for (Scope scope : scopes) {
      switch (scope) {
        case Scope.Records r ->
            put(payload, at, KIND_RECORDS, r.session(), r.fromSequence(), r.toSequence());
        case Scope.WholeFile f ->
            put(payload, at, KIND_FILE, f.file().instance(), f.file().number(), 0);
        case Scope.WholeInstance i -> put(payload, at, KIND_INSTANCE, i.instance(), 0, 0);
        case Scope.JournalTail t ->
            put(payload, at, KIND_JOURNAL_TAIL, t.journal(), t.epoch(), t.fromIndex());
        case Scope.JournalHead h ->
            put(payload, at, KIND_JOURNAL_HEAD, h.journal(), h.beforeIndex(), 0);
      }
      at += SCOPE_BYTES;
    }
  }

  public static Mark read(ByteBuffer payload) throws MalformedMark {
    int bytes = payload.remaining();
    if (bytes < SCOPES_OFFSET) throw new MalformedMark("a mark of " + bytes + " bytes");
    int start = payload.position();
    int count = payload.getInt(start + COUNT_OFFSET);
    if (count < 0 || count > scopesMax(bytes)) {
      throw new MalformedMark(count + " scopes in a mark of " + bytes + " bytes");
    }
    List<Scope> scopes = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      scopes.add(scope(payload, start + SCOPES_OFFSET + i * SCOPE_BYTES));
    }
    return new Mark(payload.getLong(start), scopes);
  }

  private static void put(ByteBuffer payload, int at, long kind, long a, long b, long c) {
    payload.putLong(at, kind);
    payload.putLong(at + Long.BYTES, a);
    payload.putLong(at + 2 * Long.BYTES, b);
    payload.putLong(at + 3 * Long.BYTES, c);
  }

  private static Scope scope(ByteBuffer payload, int at) throws MalformedMark {
    long kind = payload.getLong(at);
    long a = payload.getLong(at + Long.BYTES);
    long b = payload.getLong(at + 2 * Long.BYTES);
    long c = payload.getLong(at + 3 * Long.BYTES);
    return switch ((int) kind) {
      case KIND_RECORDS -> new Scope.Records(a, b, c);
      case KIND_FILE -> new Scope.WholeFile(new FileId((int) a, b));
      case KIND_INSTANCE -> new Scope.WholeInstance((int) a);
      case KIND_JOURNAL_TAIL -> new Scope.JournalTail(a, b, c);
      case KIND_JOURNAL_HEAD -> new Scope.JournalHead(a, b);
      default -> throw new MalformedMark("scope of unknown kind " + kind);
    };
  }
}
