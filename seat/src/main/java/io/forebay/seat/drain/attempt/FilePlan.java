// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.drain.attempt;

import io.forebay.backing.Capabilities;
import io.forebay.base.ByteSize;
import io.forebay.base.GroupId;
import io.forebay.base.RecordId;
import io.forebay.base.SeatId;
import io.forebay.base.rule.Rule;
import io.forebay.drain.plan.DrainPlan;
import io.forebay.drain.plan.DrainPlanner;
import io.forebay.drain.plan.Holder;
import io.forebay.drain.plan.Holders;
import io.forebay.drain.plan.Holes;
import io.forebay.drain.plan.Participants;
import io.forebay.drain.plan.WriteParts;
import io.forebay.drain.plan.WriteRules;
import io.forebay.drain.reorder.Pieces;
import io.forebay.namespace.tree.BackingView;
import io.forebay.ring.Group;
import io.forebay.ring.RingMap;
import io.forebay.ring.SeatEntry;
import io.forebay.seat.part.Basics;
import io.forebay.wire.message.Drains;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/** The writers of one file's parts, and the sources of the bytes. */
final class FilePlan {
  sealed interface Planning {}

  record Planned(FilePlan plan) implements Planning {}

  record TooLarge(String sentence) implements Planning {}

  private static final BackingView.Stored NOTHING = new BackingView.Stored("", "", 0);

  /** Records as plain numbers: session, sequence, group; a file may have millions. */
  private static final class Sources {
    private static final int CELLS = 3;
    private long[] cells = new long[16 * CELLS];
    private int count;

    int add(RecordId record, int group) {
      int at = count * CELLS;
      if (at == cells.length) cells = Arrays.copyOf(cells, cells.length * 2);
      cells[at] = record.session();
      cells[at + 1] = record.sequence();
      cells[at + 2] = group;
      return count++;
    }

    RecordId record(int source) {
      return new RecordId(cells[source * CELLS], cells[source * CELLS + 1]);
    }

    int group(int source) {
      return (int) cells[source * CELLS + 2];
    }
  }

  private final int instance;
  private final DrainPlan plan;
  private final Sources sources;
  private final Drains.Backed backed;

  private FilePlan(int instance, DrainPlan plan, Sources sources, Drains.Backed backed) {
    this.instance = instance;
    this.plan = plan;
    this.sources = sources;
    this.backed = backed;
  }

  /** Plans a file as it is now. */
  static Planning of(
      Basics basics, int instance, long file, long sizeBytes, BackingView view, Capabilities can) {
    Sources sources = new Sources();
    Pieces pieces = new Pieces(0);
    BackingView.Stored known = view.stored(file);
    BackingView.Stored stored = known == null ? NOTHING : known;
    view.extents(
        file,
        extent -> {
          int source = sources.add(extent.record(), extent.group());
          pieces.append(extent.offset(), extent.lengthBytes(), source, extent.recordOffset());
          return true;
        });
    Participants participants =
        new Participants(new Holders(holders(basics)), sources::group, Long.hashCode(file));
    boolean sparse = stored.backedBytes() == 0;
    return switch (DrainPlanner.plan(pieces, sizeBytes, rules(can, sparse), participants)) {
      case DrainPlanner.Planning.Planned planned ->
          new Planned(
              new FilePlan(
                  instance,
                  planned.plan(),
                  sources,
                  new Drains.Backed(stored.name(), stored.contentTag(), stored.backedBytes())));
      case DrainPlanner.Planning.TooLarge large ->
          new TooLarge(
              "the backing store takes files of up to %s, and this one has %s"
                  .formatted(
                      ByteSize.format(large.sizeBytesMax()), ByteSize.format(large.sizeBytes())));
    };
  }

  /** Writes are planned as the backing store declares that it takes them (P26). */
  @Rule("P26")
  private static WriteRules rules(Capabilities can, boolean sparse) {
    boolean anywhere = can.anyOffset();
    return new WriteRules(
        (int) Math.min(can.stripeBytes(), WriteRules.PART_BYTES_MAX),
        WriteRules.WRITE_BYTES_DEFAULT,
        (int) Math.min(can.partBytesMin(), WriteRules.PART_BYTES_MAX),
        (int) Math.min(can.partBytesMax(), WriteRules.PART_BYTES_MAX),
        can.partsMax(),
        can.parallelWriters(),
        anywhere,
        // Bytes that only the store has are between the pieces and are copied there.
        anywhere && can.holes() && sparse ? Holes.SPARSE : Holes.ZEROS);
  }

  /** All seats on the ring, each with the groups whose records it holds. */
  private static List<Holder> holders(Basics basics) {
    SeatId self = basics.self().id();
    RingMap map = basics.maps().map();
    List<Holder> holders = new ArrayList<>();
    if (map != null) {
      for (SeatEntry entry : map.seats()) {
        if (entry.away() || !entry.takesPart()) continue;
        List<GroupId> has = new ArrayList<>();
        for (Group group : map.groups()) {
          if (group.indexOf(entry.id()) >= 0) has.add(group.id());
        }
        GroupId own = has.isEmpty() ? GroupId.of(entry.id(), 1) : has.get(0);
        holders.add(new Holder(entry.id(), own, has));
      }
    }
    if (holders.isEmpty()) holders.add(new Holder(self, GroupId.of(self, 1), List.of()));
    return holders;
  }

  int writeCount() {
    return plan.writeCount();
  }

  long writtenBytes() {
    return plan.writtenBytes();
  }

  boolean inOrder() {
    return plan.rules().inOrder();
  }

  long offset(int write) {
    return plan.writeOffset(write);
  }

  int lengthBytes(int write) {
    return plan.writeLengthBytes(write);
  }

  /** The seat that a write was planned for. */
  SeatId planned(int write) {
    return plan.holder(plan.domains().domainOf(plan.writeOffset(write))).seat();
  }

  /** The seat that makes a write: the planned one or, if that is silent or away, the home. */
  SeatId holder(int write, Set<SeatId> silent, Basics home) {
    SeatId planned = planned(write);
    return silent.contains(planned) || home.maps().away(planned) ? home.self().id() : planned;
  }

  Drains.WriteChunk message(int write, Drains.AttemptIs attempt, Group treeGroup) {
    long start = plan.writeOffset(write);
    List<Drains.Source> from = new ArrayList<>();
    plan.visit(
        write,
        new WriteParts() {
          @Override
          public void bytes(long fileOffset, int lengthBytes, int source, long sourceOffset) {
            from.add(
                new Drains.Source(
                    (int) (fileOffset - start),
                    lengthBytes,
                    new GroupId(sources.group(source)),
                    sources.record(source),
                    (int) sourceOffset));
          }

          @Override
          public void zeros(long fileOffset, int lengthBytes) {
            // Bytes without a source are zeros, or come from the store.
          }
        });
    return new Drains.WriteChunk(
        treeGroup.id(),
        treeGroup.epoch(),
        instance,
        attempt,
        start,
        plan.writeLengthBytes(write),
        backed,
        from);
  }
}
