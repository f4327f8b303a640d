// SPDX-License-Identifier: Apache-2.0

package io.forebay.namespace;

import io.forebay.base.Bytes;
import io.forebay.base.fields.FieldWriter;
import io.forebay.namespace.tree.snapshot.Chunks;
import io.forebay.namespace.tree.snapshot.ItemKind;
import io.forebay.namespace.tree.snapshot.TreeWriter;
import io.forebay.ring.ended.EndedInstances;
import java.util.function.Consumer;

/** Writes a snapshot of a group's state, in an order that depends only on its contents. */
final class SnapshotWriter {
  private SnapshotWriter() {}

  static void write(GroupState state, int chunkBytesMax, Consumer<Bytes> chunks) {
    Chunks out = new Chunks(chunkBytesMax, chunks);
    FieldWriter item = out.item(ItemKind.GROUP);
    item.putInt(state.group().number());
    item.putLong(state.lastIndex());
    out.end();
    for (EndedInstances.Range range : state.dropped().ranges()) {
      FieldWriter ended = out.item(ItemKind.DROPPED_INSTANCES);
      ended.putInt(range.first());
      ended.putInt(range.last());
      out.end();
    }
    state.uses().write(out);
    state.trees().values().forEach(tree -> new TreeWriter(tree, out).write());
    out.item(ItemKind.END);
    out.end();
    out.finish();
  }
}
