// SPDX-License-Identifier: Apache-2.0

package io.forebay.namespace.tree.snapshot;

import io.forebay.base.fields.FieldWriter;
import io.forebay.namespace.tree.backed.BackedFile;
import io.forebay.namespace.tree.backed.BackingCall;
import io.forebay.namespace.tree.backed.BackingChange;
import io.forebay.namespace.tree.backed.BackingTable;
import io.forebay.namespace.tree.backed.DrainAttempt;
import io.forebay.namespace.tree.backed.ListedDirectories;
import io.forebay.namespace.tree.backed.OpenPack;
import io.forebay.wire.message.Data;
import org.jspecify.annotations.Nullable;

/** Writes a tree's state in the backing store to a snapshot. */
final class BackingWriter {
  static final int COMMIT = 1;
  static final int RENAME = 2;
  static final int DELETE = 3;
  static final int DELETE_NAME = 4;
  static final int REMOVE_DIRECTORY = 5;
  static final int COMMIT_PACK = 6;
  static final int FORGET = 7;

  private BackingWriter() {}

  static void write(BackingTable table, Chunks out) {
    write(table.sight, out);
    if (table.nextChange == 1 && table.files.isEmpty()) return;
    FieldWriter next = out.item(ItemKind.NEXT_CHANGE);
    next.putLong(table.nextChange);
    next.putLong(table.changesOver);
    out.end();
    for (BackedFile backed : table.files.values()) write(backed, out);
    for (OpenPack pack : table.packs.values()) write(pack, out);
    for (BackingChange change : table.changes) write(change, out);
    write(table.call, out);
    for (String name : table.outdated) {
      out.item(ItemKind.OUTDATED).putText(name);
      out.end();
    }
    table.remains.forEach(
        (name, contentTag) -> {
          FieldWriter item = out.item(ItemKind.REMAINS);
          item.putText(name);
          item.putText(contentTag);
          out.end();
        });
  }

  private static void write(@Nullable BackingCall call, Chunks out) {
    if (call == null) return;
    FieldWriter item = out.item(ItemKind.STORE_CALL);
    item.putLong(call.change());
    item.putLong(call.process());
    item.putLong(call.waitedNanos());
    out.end();
  }

  private static void write(ListedDirectories sight, Chunks out) {
    if (sight.over) {
      out.item(ItemKind.OVER);
      out.end();
    }
    sight.unseen.forEach(
        (directory, again) -> {
          FieldWriter item = out.item(ItemKind.UNSEEN);
          item.putLong(directory);
          item.putByte(again ? 1 : 0);
          out.end();
        });
    sight.leftOut.forEach(
        (directory, names) -> {
          FieldWriter item = out.item(ItemKind.LEFT_OUT);
          item.putLong(directory);
          item.putInt(names);
          out.end();
        });
  }

  private static void write(BackedFile backed, Chunks out) {
    FieldWriter item = out.item(ItemKind.BACKED);
    item.putLong(backed.file);
    item.putText(backed.name);
    item.putText(backed.nameToBe);
    item.putText(backed.contentTag);
    item.putLong(backed.durableVersion);
    item.putLong(backed.durableNanos);
    item.putLong(backed.backedBytes);
    item.putInt(backed.attempts);
    item.putLong(backed.wantedVersion);
    out.end();
    DrainAttempt attempt = backed.attempt;
    if (attempt == null) return;
    item = out.item(ItemKind.BACKED_ATTEMPT);
    item.putInt(attempt.number());
    item.putLong(attempt.version());
    item.putLong(attempt.sizeBytes());
    item.putText(attempt.target());
    item.putText(attempt.handle());
    item.putByte(attempt.naming() ? 1 : 0);
    item.putLong(attempt.beganNanos());
    item.putLong(attempt.pack());
    out.end();
    for (BackedFile.Held held : backed.held) {
      Data.Dead dead = held.dead();
      item = out.item(ItemKind.HELD);
      item.putInt(held.group().number());
      item.putLong(dead.session());
      item.putLong(dead.fromSequence());
      item.putLong(dead.toSequence());
      out.end();
    }
  }

  private static void write(OpenPack pack, Chunks out) {
    FieldWriter item = out.item(ItemKind.PACK);
    item.putLong(pack.order());
    item.putText(pack.handle());
    item.putByte(pack.naming() ? 1 : 0);
    out.end();
    for (int i = 0; i < pack.files().size(); i++) {
      item = out.item(ItemKind.PACK_FILE);
      item.putLong(pack.files().get(i));
      item.putText(pack.targets().get(i));
      item.putLong(pack.sizes().get(i));
      out.end();
    }
  }

  private static void write(BackingChange change, Chunks out) {
    FieldWriter item = out.item(ItemKind.STORE_CHANGE);
    item.putLong(change.number());
    switch (change) {
      case BackingChange.Commit c -> {
        item.putByte(COMMIT);
        item.putLong(c.file());
        item.putInt(c.attempt());
        item.putText(c.name());
      }
      case BackingChange.Rename c -> {
        item.putByte(RENAME);
        item.putLong(c.file());
        item.putText(c.name());
      }
      case BackingChange.Delete c -> {
        item.putByte(DELETE);
        item.putLong(c.file());
      }
      case BackingChange.DeleteName c -> {
        item.putByte(DELETE_NAME);
        item.putText(c.name());
      }
      case BackingChange.RemoveDirectory c -> {
        item.putByte(REMOVE_DIRECTORY);
        item.putText(c.name());
      }
      case BackingChange.CommitPack c -> {
        item.putByte(COMMIT_PACK);
        item.putLong(c.pack());
      }
      case BackingChange.Forget c -> {
        item.putByte(FORGET);
        item.putText(c.contentTag());
      }
    }
    out.end();
  }
}
