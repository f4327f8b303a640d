// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.drain.chunk;

import io.forebay.backing.Attempt;
import io.forebay.backing.AttemptId;
import io.forebay.backing.AttemptPlan;
import io.forebay.backing.Backing;
import io.forebay.backing.BackingFailure;
import io.forebay.backing.BackingPath;
import io.forebay.backing.FileAttributes;
import io.forebay.backing.pack.PackLayout;
import io.forebay.backing.pack.PackMember;
import io.forebay.base.GroupId;
import io.forebay.base.Timers;
import io.forebay.drain.pace.DrainYield;
import io.forebay.drain.pace.ShuffleBudget;
import io.forebay.drain.policy.DrainPolicy;
import io.forebay.ring.Instance;
import io.forebay.seat.backing.Backings;
import io.forebay.seat.neighbour.Overload;
import io.forebay.seat.part.Basics;
import io.forebay.seat.part.Groups;
import io.forebay.seat.part.MapView;
import io.forebay.seat.part.SeatCounters;
import io.forebay.seat.part.SeatLatencies;
import io.forebay.seat.part.Self;
import io.forebay.wire.Connection;
import io.forebay.wire.message.Drains;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Replies;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The second phase of a drain: gathers the bytes that homes of trees request and writes them to the
 * backing store, within a budget of memory, and at a rate that leaves writers most of their
 * bandwidth.
 */
public final class DrainWriter {
  /** Requests that wait for their turn; more are refused for now. */
  private static final int WAITING_MAX = 1024;

  /** The maximum number of concurrent fetches from one group that this seat is not in. */
  private static final int FETCHES_PER_GROUP = 6;

  private static final int PERMILLE_PER_PERCENT = 10;

  private record Wanted(Connection connection, long request, Drains.WriteChunk chunk) {}

  /** The requested writes of one file: those that wait, and how many went before. */
  private final class FileWrites implements ShuffleBudget.Writes {
    private final String attempt;
    private final ArrayDeque<Wanted> waiting = new ArrayDeque<>();
    private int granted;

    FileWrites(String attempt) {
      this.attempt = attempt;
    }

    @Override
    public int count() {
      return granted + waiting.size();
    }

    @Override
    public int lengthBytes(int write) {
      return slabs.roundedUp(first().chunk.lengthBytes());
    }

    @Override
    public int[] sources(int write) {
      return first().chunk.sources().stream()
          .map(Drains.Source::group)
          .distinct()
          .filter(group -> !groups.isMember(group))
          .mapToInt(GroupId::number)
          .toArray();
    }

    private Wanted first() {
      return waiting.element();
    }

    private Wanted grant() {
      granted++;
      return waiting.remove();
    }
  }

  private final Self seat;
  private final WriterParts parts;
  private final MapView maps;
  private final Groups groups;
  private final Timers timers;
  private final SeatCounters counters;
  private final Overload overload;
  private final Backings backings;
  private final DrainYield pace = new DrainYield();
  private final Slabs slabs;
  private final ShuffleBudget budget;

  // Both looked up only, never walked.
  private final Map<String, ShuffleBudget.Stream> streams = new HashMap<>();
  private final Map<ShuffleBudget.Stream, FileWrites> files = new HashMap<>();
  private int waiting;
  private long tickedNanos;
  private final WriterAttempts attempts;

  public DrainWriter(WriterParts parts, Overload overload, long shuffleBytes) {
    this.parts = parts;
    Basics basics = parts.basics();
    this.seat = basics.self();
    this.maps = basics.maps();
    this.groups = basics.groups();
    this.timers = basics.timers();
    this.counters = basics.counters();
    this.overload = overload;
    this.backings = parts.backings();
    this.tickedNanos = timers.nanos();
    this.attempts = new WriterAttempts(timers::nanos);
    this.slabs = new Slabs(shuffleBytes);
    this.budget = new ShuffleBudget(shuffleBytes, FETCHES_PER_GROUP);
  }

  /**
   * The attempt that a message names, or null if there can be none of that name, target or size.
   */
  private static @Nullable Attempt attemptOf(Drains.AttemptIs attempt) {
    try {
      return new Attempt(
          new AttemptPlan(
              new AttemptId(attempt.id()),
              BackingPath.of(attempt.target()),
              attempt.sizeBytes(),
              new FileAttributes(
                  attempt.mode() & FileAttributes.MODE_MASK,
                  attempt.user(),
                  attempt.group(),
                  attempt.modifyNanos())),
          attempt.handle());
    } catch (IllegalArgumentException senseless) {
      return null;
    }
  }

  public void write(Connection connection, long request, Drains.WriteChunk chunk) {
    boolean sensible =
        chunk.lengthBytes() > 0
            && chunk.offset() >= 0
            && chunk.sources().size() <= Drains.SOURCES_MAX
            && isWhole(chunk)
            && isInStore(chunk.backed())
            && attemptOf(chunk.attempt()) != null;
    if (!sensible) {
      refuse(connection, request, ErrorCode.INVALID, "a write that makes no sense");
    } else if (waiting >= WAITING_MAX) {
      refuse(connection, request, ErrorCode.BUSY, seat.id() + " has too many writes under way");
    } else {
      waiting++;
      ShuffleBudget.Stream stream =
          streams.computeIfAbsent(
              chunk.attempt().id(), attempt -> open(attempt, priority(chunk.instance())));
      writesOf(stream).waiting.add(new Wanted(connection, request, chunk));
      budget.grown(stream);
      poll();
    }
  }

  /** Whether a chunk for a pack has all of its files. */
  private static boolean isWhole(Drains.WriteChunk chunk) {
    if (chunk.members().isEmpty()) return true;
    long bytes = 0;
    for (Drains.Member member : chunk.members()) {
      if (member.lengthBytes() < 0 || !BackingPath.accepts(member.path())) return false;
      if (!isInStore(member.backed())) return false;
      bytes += member.lengthBytes();
    }
    return chunk.offset() == 0
        && bytes == chunk.lengthBytes()
        && chunk.members().size() <= Drains.MEMBERS_MAX;
  }

  /** Whether the store can have the file whose bytes are to be copied. */
  private static boolean isInStore(Drains.Backed backed) {
    return backed.bytes() >= 0 && BackingPath.accepts(backed.name());
  }

  /** Files of different instances share by what their policies say. */
  private int priority(int instance) {
    Instance known = maps.instance(instance);
    return known == null
        ? DrainPolicy.PRIORITY_DEFAULT
        : DrainPolicy.of(known.drain().policy()).priority();
  }

  private ShuffleBudget.Stream open(String attempt, int priority) {
    FileWrites writes = new FileWrites(attempt);
    ShuffleBudget.Stream stream = budget.add(priority, writes);
    files.put(stream, writes);
    return stream;
  }

  private FileWrites writesOf(ShuffleBudget.Stream stream) {
    FileWrites writes = files.get(stream);
    if (writes == null) throw new IllegalStateException("a file that is over");
    return writes;
  }

  public void tick() {
    long now = timers.nanos();
    pace.tick(
        counters.putBytes(),
        overload.own().usedPermille() / PERMILLE_PER_PERCENT,
        now - tickedNanos);
    tickedNanos = now;
    attempts.tick();
    poll();
  }

  private void poll() {
    while (pace.allowsMore()) {
      ShuffleBudget.Grant grant = budget.next();
      if (grant == null) return;
      start(grant);
    }
  }

  private void start(ShuffleBudget.Grant grant) {
    Wanted wanted = writesOf(grant.stream()).grant();
    waiting--;
    Drains.WriteChunk chunk = wanted.chunk;
    Backing backing = backings.of(chunk.instance());
    if (backing == null) {
      released(grant);
      refuse(
          wanted.connection,
          wanted.request,
          ErrorCode.REFUSED,
          "there is no backing store here: " + backings.problem(chunk.instance()));
      return;
    }
    pace.begins(chunk.lengthBytes());
    ChunkGathering[] gathering = new ChunkGathering[1];
    long startNanos = timers.nanos();
    gathering[0] =
        new ChunkGathering(
            parts,
            backing,
            chunk,
            slabs,
            new ChunkGathering.Gathered() {
              @Override
              public void complete() {
                budget.fetched(grant);
                write(wanted, grant, backing, gathering[0], startNanos);
                poll();
              }

              @Override
              public void incomplete(String why) {
                end(wanted, grant, gathering[0], new Replies.Failed(ErrorCode.GONE, why));
              }
            });
    gathering[0].start();
  }

  private void write(
      Wanted wanted,
      ShuffleBudget.Grant grant,
      Backing backing,
      ChunkGathering gathering,
      long startNanos) {
    if (backing.room() == 0) {
      Message busy = new Replies.Failed(ErrorCode.BUSY, "the backing store is busy");
      end(wanted, grant, gathering, busy);
      return;
    }
    Drains.WriteChunk chunk = wanted.chunk;
    List<ByteBuffer> parts = gathering.parts();
    Attempt attempt = Objects.requireNonNull(attemptOf(chunk.attempt()), "checked on arrival");
    attempts.writes(backing, attempt);
    backing.submit(
        store -> {
          // Here and not in the loop, which must not spend its time on reading it all.
          List<ByteBuffer> bytes = packed(chunk, parts);
          int checksum = checksum(bytes);
          store.write(attempt, chunk.offset(), bytes);
          return checksum;
        },
        answer -> {
          attempts.wrote(attempt);
          switch (answer) {
            case Backing.Answer.Failed<Integer> failed ->
                end(wanted, grant, gathering, failed(failed.failure()));
            case Backing.Answer.Done<Integer> done -> {
              counters.drained(chunk.lengthBytes());
              counters.latencies().add(SeatLatencies.Operation.DRAIN, timers.nanos() - startNanos);
              end(
                  wanted,
                  grant,
                  gathering,
                  new Drains.ChunkWritten(done.value(), seat.processStart()));
            }
          }
        });
  }

  /** For files that are stored together, the whole pack; else the bytes as they are. */
  private static List<ByteBuffer> packed(Drains.WriteChunk chunk, List<ByteBuffer> parts) {
    if (chunk.members().isEmpty()) return parts;
    List<PackMember> members = new ArrayList<>();
    for (Drains.Member member : chunk.members()) {
      members.add(
          new PackMember(
              BackingPath.of(member.path()).text(),
              member.lengthBytes(),
              new FileAttributes(
                  member.mode(), member.user(), member.group(), member.modifyNanos())));
    }
    return new PackLayout(members).framed(parts);
  }

  private static int checksum(List<ByteBuffer> parts) {
    CRC32C crc = new CRC32C();
    for (ByteBuffer part : parts) crc.update(part.duplicate());
    return (int) crc.getValue();
  }

  private void end(
      Wanted wanted, ShuffleBudget.Grant grant, ChunkGathering gathering, Message reply) {
    gathering.close();
    pace.ends(wanted.chunk.lengthBytes());
    released(grant);
    wanted.connection.send(wanted.request, reply);
    poll();
  }

  private void released(ShuffleBudget.Grant grant) {
    budget.released(grant);
    ShuffleBudget.Stream stream = grant.stream();
    if (!stream.isOver()) return;
    FileWrites over = files.remove(stream);
    if (over != null) streams.remove(over.attempt);
  }

  /** The most memory that the shuffle took at a time. */
  public long mostBytes() {
    return slabs.mostBytes();
  }

  public void force(Connection connection, long request, Drains.ForceChunks message) {
    if (message.start() != seat.processStart()) {
      // Writes of the previous process may be lost, and no force would tell.
      refuse(
          connection,
          request,
          ErrorCode.STALE_HANDLE,
          maps.serverOf(seat.id()) + " was started again before what it wrote was forced");
      return;
    }
    Backing backing = backings.of(message.instance());
    if (backing == null || backing.room() == 0) {
      refuse(connection, request, ErrorCode.BUSY, "the backing store is busy");
      return;
    }
    Attempt attempt = attemptOf(message.attempt());
    if (attempt == null) {
      refuse(connection, request, ErrorCode.INVALID, "a force that makes no sense");
      return;
    }
    backing.force(
        attempt,
        answer -> {
          if (answer instanceof Backing.Answer.Failed<Backing.Nothing> failed) {
            connection.send(request, failed(failed.failure()));
          } else {
            attempts.forced(attempt);
            connection.send(request, new Replies.Done());
          }
        });
  }

  /** The home has ended an attempt: closes its open files here. */
  public void over(Connection connection, long request, Drains.AttemptOver message) {
    Attempt attempt = attemptOf(message.attempt());
    if (attempt == null) {
      refuse(connection, request, ErrorCode.INVALID, "the end of an attempt that makes no sense");
      return;
    }
    attempts.over(attempt);
    connection.send(request, new Replies.Done());
  }

  /** A failure of the store, as the answer to the requesting home. */
  public static Replies.Failed failed(BackingFailure failure) {
    ErrorCode code =
        switch (failure.advice()) {
          case TRY_AGAIN -> ErrorCode.UNAVAILABLE;
          case BEGIN_AGAIN -> ErrorCode.STALE_HANDLE;
          case ACCEPT -> ErrorCode.STALE_HANDLE;
          case TELL_AND_WAIT -> ErrorCode.REFUSED;
        };
    return new Replies.Failed(code, failure.sentence());
  }

  private static void refuse(Connection connection, long request, ErrorCode code, String detail) {
    connection.send(request, new Replies.Failed(code, detail));
  }
}
