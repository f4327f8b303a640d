// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.audit;

import io.forebay.base.GroupId;
import io.forebay.base.RecordId;
import io.forebay.namespace.GroupState;
import io.forebay.namespace.tree.BackingView;
import io.forebay.simulation.world.SeatNode;
import io.forebay.simulation.world.World;
import io.forebay.store.index.Extent;
import io.forebay.store.record.ReadResult;
import io.forebay.store.record.Slice;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Names;
import io.forebay.wire.message.Replies;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Drained data in the buffer (P25): the records of a durable file have the same bytes as the store,
 * whether they were written or read, and readers learn which bytes only the store has.
 */
public final class KeptAudit extends Audit {
  private static final int EVERY_STEPS = 64;

  private record Asked(String home, String client, long request) {}

  private record Runs(GroupId group, int instance, int tree, long file) {}

  private record Compared(RecordId record, long offset, String contentTag) {}

  private final BackingAudit store;

  // Looked up only.
  private final Map<Asked, Runs> asked = new HashMap<>();
  private final Set<Compared> compared = new HashSet<>();

  public KeptAudit(World world, BackingAudit store) {
    super(world);
    this.store = store;
  }

  @Override
  public int everySteps() {
    return EVERY_STEPS;
  }

  @Override
  public void look() {
    store.eachDurable(
        (file, stored, view) -> {
          byte[] there = store.content(stored.contentTag());
          if (there == null) return;
          List<Extent> extents = new ArrayList<>();
          view.extents(file, extents::add);
          for (Extent extent : extents) compare(file, extent, stored.contentTag(), there);
        });
  }

  private void compare(long file, Extent extent, String contentTag, byte[] there) {
    SeatNode holder = store.holder(new GroupId(extent.group()), extent.record());
    Compared once = new Compared(extent.record(), extent.offset(), contentTag);
    if (holder == null || !compared.add(once)) return;
    holder
        .store()
        .read(
            extent.record(),
            extent.recordOffset(),
            extent.lengthBytes(),
            result -> {
              if (!(result instanceof ReadResult.Bytes bytes)) return;
              try (Slice slice = bytes.slice()) {
                if (isIn(there, extent, slice.bytes())) return;
              }
              broken(
                  "P25",
                  "record %s of file %d is not what the store has at %d (%s)"
                      .formatted(extent.record(), file, extent.offset(), contentTag));
            });
  }

  private static boolean isIn(byte[] there, Extent extent, ByteBuffer bytes) {
    return extent.endOffset() <= there.length
        && ByteBuffer.wrap(there, (int) extent.offset(), extent.lengthBytes()).mismatch(bytes) < 0;
  }

  @Override
  public void handed(String from, String to, long request, Message message) {
    if (message instanceof Names.Request names && names.what() instanceof Names.FindRuns find) {
      asked.put(
          new Asked(to, from, request),
          new Runs(names.group(), names.instance(), names.tree(), find.file()));
    }
  }

  @Override
  public void sent(String from, String to, long request, Message message) {
    if (!answersNames(message)) return;
    Runs about = asked.remove(new Asked(from, to, request));
    SeatNode home = nodeAt(from);
    if (about == null || home == null || message instanceof Replies.Failed) return;
    GroupState state = home.seat().served(about.group);
    BackingView view = state == null ? null : state.backing(about.instance, about.tree);
    BackingView.Stored stored = view == null ? null : view.stored(about.file);
    if (stored == null || !(message instanceof Names.RunsAre told)) return;
    if (told.backedBytes() != stored.backedBytes()) {
      broken(
          "P25",
          "of file %d the store has %d bytes, and %s is told %d"
              .formatted(about.file, stored.backedBytes(), to, told.backedBytes()));
    }
  }
}
