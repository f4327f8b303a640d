// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.planted;

import io.forebay.simulation.planted.MethodEdit.Body;
import io.forebay.simulation.planted.MethodEdit.Replacement;
import io.forebay.simulation.planted.body.ContentFaults;
import io.forebay.simulation.planted.body.DrainFaults;
import io.forebay.simulation.planted.body.SeatFaults;
import java.util.List;
import java.util.Locale;

/**
 * The faults that can be planted, each with what it does and the methods of the product that it
 * rewrites, which keep a rule of the protocol ({@link io.forebay.base.rule.Rule}).
 */
public enum PlantedBug {
  // Writes and their copies.
  ACK_BEFORE_COPIES(
      "a home acknowledges a record before its copies exist",
      returns("seat.put.HomePuts", "isConfirmedByAll", true)),
  ACK_DUPLICATE_BY_ITSELF(
      "a home acknowledges a duplicate record because it has it",
      edit(
          "seat.put.HomePuts",
          "arriving",
          new Body.Preceded(seat("acknowledgePresent", "store", "holds")))),
  CONFIRMATIONS_OF_ANY_EPOCH(
      "a home counts confirmations of older epochs",
      returns("seat.door.MemberAnswers", "counts", true)),
  COPIES_OF_ANY_EPOCH(
      "a member accepts copies of older epochs",
      edit("seat.door.PayloadGate", "isOfEpoch", new Body.Replaced(seat("isNotLater")))),
  CHECKSUM_UNVERIFIED_BY_SEAT(
      "a seat accepts payloads without verifying their checksums",
      returns("store.segment.Appender", "isSound", true)),
  KILL_REACHES_NEXT(
      "a dropped record takes the next record of its session with it",
      edit("seat.reclaim.RecordDeletion", "scopeOf", new Body.Result(seat("andTheNext")))),

  // Journals and takeover.
  JOURNAL_OF_ANY_EPOCH(
      "a member accepts journal entries of older epochs",
      edit("seat.door.EpochGate", "isOlder", new Body.Replaced(seat("isOlderAndNoEntries")))),
  SERVE_BEFORE_ALL_AGREE(
      "a new home serves before the members have its journal",
      edit("seat.group.GroupHome", "serving", new Body.Other("started"))),
  ADOPT_SHORTEST_JOURNAL(
      "a new home adopts the shortest journal it is offered",
      returns("seat.group.HomeStart", "isBetter", false)),
  KEEP_DIVERGING_TAIL(
      "a member keeps its own entries where the home's differ",
      returns("seat.journal.MemberJournal", "dropAround", true),
      edit("seat.journal.MemberJournal", "isSame", new Body.Replaced(seat("stands")))),
  EXPOSE_UNCONFIRMED(
      "a home shows journal entries that not all members have",
      returns("seat.journal.HomeJournal", "isAwaited", false)),
  SNAPSHOT_LOSES_PART(
      "a snapshot lacks its last part",
      edit("seat.group.GroupHome", "snapshotParts", new Body.Result(seat("withoutLast")))),
  REPLAY_SKIPS_COMMAND(
      "a home that starts skips the last change in its journal",
      edit("seat.group.HomeStart", "replay", new Body.SkippedIf(seat("isLastButOne", "journal")))),

  // Pools.
  PROMISE_WITHOUT_ROOM(
      "the manager deals granules that seats cannot keep",
      returns("seat.manager.pool.Dealing", "hasRoom", true)),

  // Leases and epochs.
  SERVE_WITHOUT_LEASE(
      "a home answers questions without leases",
      returns("seat.group.GroupHome", "mayAnswer", true)),
  LEASE_FROM_ARRIVAL(
      "a lease counts from its arrival, not from its request",
      edit(
          "seat.lease.LeaseKeeper",
          "leasedFromNanos",
          new Body.Replaced(seat("fromArrival", "timers")))),
  ENTER_EPOCH_DURING_GRANT(
      "a member enters a new epoch before its promise has run out",
      returns("seat.group.GroupSeat", "isPromisedToAnother", false)),
  REENTER_LEFT_EPOCH(
      "a restarted seat enters the epoch that its previous process was in",
      returns("seat.group.GroupSeat", "wasLeft", false)),

  // Sessions.
  FORGET_ANSWERS(
      "a retried change is applied again",
      edit("namespace.GroupState", "callOf", new Body.Result(content("unnumbered")))),
  FORGET_ANSWERS_EARLY(
      "answers are forgotten before the client has them",
      edit("namespace.GroupState", "callOf", new Body.Result(content("answered")))),
  EXPIRE_LIVE_SESSION(
      "a session ends although its client sends requests",
      edit("seat.names.HomeNames", "expiryNanos", new Body.Result(seat("expireEarly")))),
  DROP_PUBLISHED_OF_ENDED_SESSION(
      "the published records of an ended session are dropped with the rest",
      edit("seat.reclaim.HomeReclaim", "unpublished", new Body.Replaced(seat("allIfAnswered")))),
  DROP_UNPUBLISHED_OF_LIVING_SESSION(
      "records that a living session may still publish are dropped",
      edit("namespace.tree.Tree", "isDead", new Body.Replaced(content("isInNoFile", "state")))),
  DELETE_WITHOUT_ANSWER(
      "records are dropped when no home has said whether they are live",
      edit("seat.reclaim.HomeReclaim", "unpublished", new Body.Replaced(seat("allIfUnanswered")))),

  // Currency, incarnations, repair.
  NON_CURRENT_TAKES_OVER(
      "a member that is not current becomes home",
      edit(
          "seat.manager.state.AbsentSeatRules", "without", new Body.Result(seat("othersCurrent")))),
  SAME_INCARNATION_AFTER_LOSS(
      "a seat that lost its memory comes back as if it had not",
      returns("seat.map.MapMemory", "staysTheSame", true)),
  REPAIR_IGNORES_DEBT(
      "a member becomes current before it has all records",
      returns("seat.repair.MemberRepair", "isPaid", true)),
  REPAIR_FORGETS_NEW_RECORDS(
      "records that arrive during a repair are not sent to the member",
      nothing("seat.repair.MemberRepair", "owe")),

  // The store.
  DYING_MEMORY_KEEPS(
      "a record counts as kept in memory that dies with the process",
      returns("store.Store", "mayKeepInMemory", true)),
  FORCE_COVERS_LATER_FILLS(
      "a force answers for records that were filled after it began",
      edit("store.segment.Flusher$Round", "answerForced", new Body.First("takeLater"))),
  SENT_SLICE_UNPINNED(
      "bytes being sent to a socket do not pin their segment",
      nothing("store.segment.Reader", "pin"),
      nothing("store.segment.Reader", "unpin")),
  VOID_RECORD_RECOVERED(
      "recovery takes a reservation that was never filled for a record",
      edit("store.recovery.SegmentScan$Collector", "unfilled", new Body.Other("complete"))),
  COMPACTION_LOSES_RECORD(
      "compaction loses some of the records it moves",
      edit("store.upkeep.Compactor$Job", "index", new Body.Replaced(content("loseSome")))),

  // The manager and its maps.
  MANAGER_FORGETS_LAST_COMMAND(
      "a restarted manager forgets its last decision",
      edit("seat.consensus.LogConsensus", "decided", new Body.Result(seat("withoutLast")))),
  SEAT_TAKES_LOWER_MAP(
      "a seat follows a map that is older than its own",
      returns("seat.map.MapMemory", "isNewer", true)),

  CONTENT_WITHOUT_RIGHTS(
      "a home does not ask whether a session may use a file's content",
      returns("seat.names.HomeNames", "mayUse", true)),
  RECORDS_WITHOUT_PROOF(
      "a seat gives a record to every client that knows its id",
      returns("seat.right.RecordRights", "mayPut", true),
      returns("seat.right.RecordRights", "isProven", true)),
  ROOT_BY_CLAIM(
      "a seat believes a client that claims to be root",
      returns("seat.access.Entrances", "mayActFor", true)),
  ROOT_OF_A_NODE(
      "a seat takes root of a node for root", returns("seat.access.Entrances", "mayBeRoot", true)),
  ROOT_RIGHT_FOR_NODES(
      "the manager gives root of a node the right to be root",
      returns("seat.manager.access.InstanceUsers", "mayBeRoot", true)),
  JOB_FOR_ANY_PROCESS(
      "the manager gives every process of a job's user the job's instance",
      returns("seat.manager.access.CapabilityDesk", "reaches", true)),
  CAPABILITY_OF_ANY_EPOCH(
      "a seat takes a capability of an older access epoch",
      returns("seat.access.Entrances", "isOfEpoch", true)),
  SEAT_BY_CLAIM(
      "the manager believes a caller that claims to be a seat",
      returns("seat.manager.access.Callers", "mayAsk", true)),
  SEAT_OF_ANOTHER_SERVER(
      "a seat believes a server that speaks for a seat of another server",
      returns("seat.access.Entrances", "isSeatOf", true)),
  REPORT_OF_ANOTHER_SERVER(
      "the manager believes a server that speaks for a seat of another server",
      returns("seat.manager.access.Callers", "isAboutOwnSeats", true)),
  ANY_USER_AT_THE_MANAGER(
      "the manager lets a user act for any other",
      returns("seat.manager.access.Callers", "mayActFor", true)),
  CAPABILITY_WITHOUT_EXPIRY(
      "a seat takes a capability that has expired",
      returns("seat.access.Entrances", "isValid", true)),
  CAPABILITY_FOR_EVERYTHING(
      "a seat does not ask which rights a capability has",
      returns("seat.access.Entrances", "mayUse", true)),
  STAGES_OF_ANY_USER(
      "a seat takes a stage of any user, which servers carry out as the owner of the instance",
      returns("seat.access.Entrances", "mayAdminister", true)),
  CREDENTIAL_FOR_ANY_MANAGER(
      "the manager takes a credential that was made for another one",
      returns("seat.manager.access.ProofDesk", "isFor", true)),
  ROOT_BY_CREDENTIAL(
      "a credential proves root of another machine",
      returns("seat.manager.access.ProofDesk", "mayBeProved", true)),

  // Drains.
  DRAIN_WRITES_BEFORE_HANDLE(
      "bytes are written to an attempt of which the journal has no handle",
      edit("seat.drain.attempt.DrainJob", "opened", new Body.Last("write"))),
  DRAIN_PLANS_LATER(
      "an attempt stores changes of the file that came after its begin",
      edit("seat.drain.attempt.DrainJob", "writeAsPlanned", new Body.First("plan"))),
  DRAIN_LEAVES_LOWER_ATTEMPT(
      "an attempt begins while an earlier one exists",
      edit("seat.drain.attempt.FormerAttempts", "abort", new Body.Other("end"))),
  DRAIN_NAMES_BEFORE_FORCE(
      "a file gets its name before it is forced",
      edit("seat.drain.attempt.DrainJob", "forceAll", new Body.Other("commitWritten"))),
  DRAIN_SKIPS_VERIFICATION(
      "a file that is to be verified gets its name without being read",
      returns("seat.drain.attempt.AttemptJob", "isReadBack", false)),
  DRAIN_BELIEVES_FAILED_COMMIT(
      "a file is durable although it is unknown whether it got its name",
      edit(
          "seat.drain.naming.BackingChanges",
          "unsettled",
          new Body.SkippedIf(drain("believes", "tree", "wallClock")))),
  DRAIN_NAMES_AS_BEGUN(
      "a file gets the name in the store that it had when its drain began",
      edit(
          "seat.drain.naming.BackingChanges",
          "finalName",
          new Body.Replaced(drain("nameAsBegun", "tree")))),
  DRAIN_FORGETS_WHAT_IT_GAVE_UP(
      "readers are not told what only the store has",
      edit("namespace.tree.Questions", "onlyBackedBytes", new Body.Returns(0L))),
  DRAIN_KEEPS_ENDED_OPEN(
      "a seat keeps ended attempts open, and with them their room",
      nothing("seat.drain.chunk.WriterAttempts", "over"),
      nothing("seat.drain.chunk.WriterAttempts", "tick")),
  DRAIN_IGNORES_CAPABILITIES(
      "writes are planned as if the store could do everything",
      edit("seat.drain.attempt.FilePlan", "rules", new Body.Replaced(drain("ofFileSystem")))),

  // Locks.
  LOCKS_OF_ONE_HOME(
      "a new home does not know the locks that are held",
      edit("seat.group.HomeStart", "replay", new Body.SkippedIf(seat("isLock")))),

  // What homes count.
  PROTECTION_COUNTS_IN_MEMORY(
      "a home keeps what it counted in its memory only", nothing("seat.use.HomeUse", "journal")),
  PROTECTION_SNAPSHOT_WITHOUT_COUNTS(
      "a snapshot lacks what was counted", nothing("namespace.use.InstanceUses", "write")),

  // Several managers.
  MANAGERS_ACKNOWLEDGE_UNKNOWN(
      "a manager acknowledges a change whose outcome is unknown",
      returns("seat.manager.desk.Decisions", "isDecided", true)),
  MANAGERS_GRANT_UNCONFIRMED(
      "a manager grants leases although another one may lead",
      returns("seat.manager.ConfirmedLeadership", "isFresh", true)),
  MANAGERS_IGNORE_LEASES(
      "a manager changes a group's home although its predecessor's lease has not ended",
      edit(
          "seat.manager.desk.GrantedLeases",
          "predecessorEndNanos",
          new Body.Replaced(seat("atTheStart", "startNanos")))),
  MANAGERS_STOP_BEHIND_SUCCESSOR(
      "a manager stops when a seat has a map of its successor",
      returns("seat.manager.UnknownEpochs", "provesLoss", true)),

  // A manager that lost its log.
  RECOVERY_WITHOUT_ALL_SEATS(
      "a manager is recovered although seats are missing that may know a newer map",
      returns("seat.manager.recovery.NewestMap", "mayGoOn", true)),
  RECOVERY_IN_THE_SAME_TERM(
      "a recovered manager begins a term that the lost past may have had",
      edit("seat.manager.state.RecoveredState", "termAfter", new Body.Replaced(seat("sameTerm")))),
  RECOVERY_KEEPS_EPOCHS(
      "a recovered manager gives groups epochs that the lost past may have given",
      edit(
          "seat.manager.state.RecoveredState", "epochAfter", new Body.Replaced(seat("sameEpoch")))),

  // Ends of instances.
  END_LEAVES_STAGES(
      "a home reports the end of an instance while a stage of it is due",
      returns("seat.drain.HomeDrain", "hasStagesLeft", false)),
  END_UNSAID(
      "the map does not say which instances have ended",
      edit("seat.manager.state.ManagerState", "withEnded", new Body.Replaced(seat("asBefore")))),
  END_BY_ABSENCE(
      "a seat takes an instance for ended that its map lacks",
      edit("seat.map.FollowedMap", "saysEnded", new Body.Replaced(seat("lacks")))),

  // The client.
  READ_OVERWRITTEN_PIECE(
      "a client reads its own bytes that it has overwritten",
      edit(
          "client.core.content.write.PieceTable",
          "put",
          new Body.SkippedIf(content("covers", Replacement.THIS)))),
  PUBLISH_BEFORE_ACKNOWLEDGED(
      "a client publishes before all its pieces are acknowledged",
      returns("client.core.content.FileContent", "isAwaited", false),
      returns("client.core.content.ValueContent", "isAwaited", false)),
  SEQUENCE_GIVEN_TWICE(
      "a client gives two pieces the same number",
      edit("client.core.route.TreeSession", "takePieceNumber", new Body.Result(content("odd")))),
  RETRY_ELSEWHERE_UNDER_SAME_ID(
      "a client sends a piece to another group under the same id",
      edit("client.core.content.write.Piece", "nextAttempt", new Body.Result(content("before")))),
  CHECKSUM_UNVERIFIED_BY_READER(
      "a reader does not compare checksums",
      returns("client.core.content.read.Fetch", "isSound", true));

  private final String what;

  // A list of records that nothing changes.
  @SuppressWarnings("ImmutableEnumChecker")
  private final List<MethodEdit> edits;

  PlantedBug(String what, MethodEdit... edits) {
    this.what = what;
    this.edits = List.of(edits);
  }

  private static MethodEdit edit(String type, String method, Body body) {
    return MethodEdit.of(type, method, body);
  }

  private static MethodEdit returns(String type, String method, boolean value) {
    return edit(type, method, new Body.Returns(value));
  }

  private static MethodEdit nothing(String type, String method) {
    return edit(type, method, new Body.Nothing());
  }

  private static Replacement seat(String method, String... fields) {
    return new Replacement(SeatFaults.class, method, List.of(fields));
  }

  private static Replacement drain(String method, String... fields) {
    return new Replacement(DrainFaults.class, method, List.of(fields));
  }

  private static Replacement content(String method, String... fields) {
    return new Replacement(ContentFaults.class, method, List.of(fields));
  }

  /** The methods that it rewrites. */
  List<MethodEdit> edits() {
    return edits;
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

  /** Whether it can only do harm where users without rights try. */
  public boolean isOfRights() {
    return switch (this) {
      case CONTENT_WITHOUT_RIGHTS,
          RECORDS_WITHOUT_PROOF,
          ROOT_BY_CLAIM,
          ROOT_OF_A_NODE,
          ROOT_RIGHT_FOR_NODES,
          JOB_FOR_ANY_PROCESS,
          CAPABILITY_OF_ANY_EPOCH,
          SEAT_BY_CLAIM,
          SEAT_OF_ANOTHER_SERVER,
          REPORT_OF_ANOTHER_SERVER,
          ANY_USER_AT_THE_MANAGER,
          CAPABILITY_WITHOUT_EXPIRY,
          CAPABILITY_FOR_EVERYTHING,
          STAGES_OF_ANY_USER,
          CREDENTIAL_FOR_ANY_MANAGER,
          ROOT_BY_CREDENTIAL ->
          true;
      default -> false;
    };
  }

  /** Whether it is about what homes count for write protection. */
  public boolean isOfProtection() {
    return name().startsWith("PROTECTION_");
  }

  /** Whether it can only do harm where several managers decide. */
  public boolean isOfManagers() {
    return name().startsWith("MANAGERS_");
  }

  /** Whether it can only do harm where a manager loses its log. */
  public boolean isOfRecovery() {
    return name().startsWith("RECOVERY_");
  }

  /** Whether it can only do harm where instances end. */
  public boolean isOfEnds() {
    return name().startsWith("END_");
  }

  /** The name that people type. */
  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
