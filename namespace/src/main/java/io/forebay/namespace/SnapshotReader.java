// SPDX-License-Identifier: Apache-2.0

package io.forebay.namespace;

import io.forebay.base.Bytes;
import io.forebay.base.fields.FieldReader;
import io.forebay.base.fields.MalformedFields;
import io.forebay.namespace.tree.snapshot.Chunks;
import io.forebay.namespace.tree.snapshot.ItemKind;
import io.forebay.namespace.tree.snapshot.TreeReader;
import io.forebay.ring.ended.EndedInstances;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Fills an empty state from the chunks of a snapshot. */
final class SnapshotReader {
  private final GroupState state;
  private @Nullable TreeReader tree;
  private boolean begun;

  SnapshotReader(GroupState state) {
    this.state = state;
  }

  /** Takes a chunk; true if it was the last. */
  boolean read(Bytes chunk) throws MalformedFields {
    FieldReader in = new FieldReader(chunk.asBuffer());
    int version = in.getByte();
    if (version != Chunks.VERSION) {
      throw new MalformedFields("a snapshot of version " + version + ", not " + Chunks.VERSION);
    }
    try {
      while (in.remaining() > 0) {
        if (readItem(ItemKind.of(in.getByte()), in)) {
          if (in.remaining() > 0) throw new MalformedFields("a snapshot goes on behind its end");
          return true;
        }
      }
    } catch (IllegalArgumentException e) {
      throw new MalformedFields("a snapshot that cannot be: " + e.getMessage(), e);
    }
    return false;
  }

  private boolean readItem(ItemKind kind, FieldReader in) throws MalformedFields {
    if (begun == (kind == ItemKind.GROUP)) {
      throw new MalformedFields("a snapshot begins, and only begins, with its group");
    }
    switch (kind) {
      case GROUP -> readGroup(in);
      case DROPPED_INSTANCES -> readDropped(in);
      case USE -> state.uses().restore(in);
      case USE_BUCKET -> state.uses().restoreBucket(in);
      case TREE -> {
        finishTree();
        tree = TreeReader.begin(state.group(), in);
      }
      case END -> finishTree();
      default -> {
        if (tree == null) throw new MalformedFields(kind + " before any tree");
        tree.item(kind, in);
      }
    }
    return kind == ItemKind.END;
  }

  private void readGroup(FieldReader in) throws MalformedFields {
    int group = in.getInt();
    if (group != state.group().number()) {
      throw new MalformedFields("a snapshot of group " + group + ", not of " + state.group());
    }
    state.restoreIndex(in.getLong());
    begun = true;
  }

  private void readDropped(FieldReader in) throws MalformedFields {
    EndedInstances.Range range = new EndedInstances.Range(in.getInt(), in.getInt());
    state.restoreDropped(state.dropped().and(new EndedInstances(List.of(range))));
  }

  private void finishTree() throws MalformedFields {
    if (tree == null) return;
    state.restoreTree(new GroupState.TreeKey(tree.instance(), tree.number()), tree.tree());
    tree = null;
  }
}
