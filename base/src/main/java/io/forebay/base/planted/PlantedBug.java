// SPDX-License-Identifier: Apache-2.0

package io.forebay.base.planted;

import java.util.Locale;

/** The faults that can be planted, each with what it does. */
public enum PlantedBug {
  // Writes and their copies.
  ACK_BEFORE_COPIES("a home acknowledges a record before its copies are there"),
  ACK_DUPLICATE_BY_ITSELF("a home acknowledges a record that comes again for being there"),
  CONFIRMATIONS_OF_ANY_EPOCH("a home counts confirmations of older epochs"),
  COPIES_OF_ANY_EPOCH("a member takes copies of older epochs"),
  CHECKSUM_UNVERIFIED_BY_SEAT("a seat takes payloads without comparing their checksums"),
  KILL_REACHES_NEXT("a record that is dropped takes the next one of its session with it"),

  // Journals and takeover.
  JOURNAL_OF_ANY_EPOCH("a member takes journal entries of older epochs"),
  SERVE_BEFORE_ALL_AGREE("a new home serves before the members have its journal"),
  ADOPT_SHORTEST_JOURNAL("a new home adopts the shortest journal it is offered"),
  KEEP_DIVERGING_TAIL("a member keeps entries of its own where the home's are others"),
  EXPOSE_UNCONFIRMED("a home shows journal entries that not all members have"),
  SNAPSHOT_LOSES_PART("a snapshot lacks its last part"),
  REPLAY_SKIPS_COMMAND("a home that starts passes over the last change in its journal"),

  // Leases and epochs.
  SERVE_WITHOUT_LEASE("a home answers questions without leases"),
  LEASE_FROM_ARRIVAL("a lease counts from its arrival, not from when it was asked for"),
  ENTER_EPOCH_DURING_GRANT("a member enters a new epoch before its promise has run out"),
  REENTER_LEFT_EPOCH("a seat that starts again enters the epoch its process before was in"),

  // Sessions.
  FORGET_ANSWERS("a change that is asked again is done again"),
  FORGET_ANSWERS_EARLY("answers are forgotten before the client has them"),
  EXPIRE_LIVE_SESSION("a session ends although its client is heard of"),
  DROP_PUBLISHED_OF_ENDED_SESSION("what an ended session published is dropped with the rest"),
  DELETE_WITHOUT_ANSWER("records are dropped when nobody says whether they count"),

  // Currency, incarnations, repair.
  NON_CURRENT_TAKES_OVER("a member that is not current becomes home"),
  SAME_INCARNATION_AFTER_LOSS("a seat that lost its memory comes back as if it had not"),
  REPAIR_IGNORES_DEBT("a member becomes current before it has what it was owed"),
  REPAIR_FORGETS_NEW_RECORDS("what comes during a repair is not owed to the member"),

  // The store.
  DYING_MEMORY_KEEPS("a record counts as kept in memory that dies with the process"),
  FORCE_COVERS_LATER_FILLS("a force answers for records that were filled after it began"),
  SENT_SLICE_UNPINNED("bytes on their way to a socket do not hold their segment"),
  VOID_RECORD_RECOVERED("recovery takes a reservation that was never filled for a record"),
  COMPACTION_LOSES_RECORD("compaction loses some of the records it moves"),

  // The manager and its maps.
  MANAGER_FORGETS_LAST_COMMAND("a manager that starts again forgets its last decision"),
  SEAT_TAKES_LOWER_MAP("a seat follows a map that is older than its own"),

  CONTENT_WITHOUT_RIGHTS("a home does not ask whether a session may use a file's content"),
  RECORDS_WITHOUT_PROOF("a seat gives a record to every client that knows its id"),

  // Drains.
  DRAIN_WRITES_BEFORE_HANDLE("bytes are written to an attempt of which the journal has no handle"),
  DRAIN_PLANS_LATER("an attempt stores what the file has become since it began"),
  DRAIN_LEAVES_LOWER_ATTEMPT("an attempt begins while an earlier one is there"),
  DRAIN_NAMES_BEFORE_FORCE("a file gets its name before it is forced"),
  DRAIN_SKIPS_VERIFICATION("what is to be verified gets its name unread"),
  DRAIN_BELIEVES_FAILED_COMMIT("a file is durable though nobody knows whether it got its name"),
  DRAIN_NAMES_AS_BEGUN("a file gets the name in the store that it had when its drain began"),
  DRAIN_FORGETS_WHAT_IT_GAVE_UP("readers are not told what only the store has"),
  DRAIN_KEEPS_ENDED_OPEN("a seat keeps attempts open that are over, and with them their room"),
  DRAIN_IGNORES_CAPABILITIES("writes are planned as if the store could do everything"),

  // Locks.
  LOCKS_OF_ONE_HOME("a home that takes over does not know the locks that were held"),

  // The client.
  READ_OVERWRITTEN_PIECE("a client reads its own bytes that it has overwritten"),
  PUBLISH_BEFORE_ACKNOWLEDGED("a client publishes before all its pieces are acknowledged"),
  SEQUENCE_GIVEN_TWICE("a client gives two pieces the same number"),
  RETRY_ELSEWHERE_UNDER_SAME_ID("a client sends a piece to another group under the same id"),
  CHECKSUM_UNVERIFIED_BY_READER("a reader does not compare checksums");

  private final String what;

  PlantedBug(String what) {
    this.what = what;
  }

  /** What it does, in a sentence. */
  public String what() {
    return what;
  }

  /** Whether it can only do harm where files are drained. */
  public boolean isOfDrain() {
    return name().startsWith("DRAIN_");
  }

  /** Whether it can only do harm where clients take locks. */
  public boolean isOfLocks() {
    return name().startsWith("LOCKS_");
  }

  /** The name that people type. */
  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
