// SPDX-License-Identifier: Apache-2.0

package io.forebay.namespace.tree.snapshot;

import io.forebay.base.FileId;
import io.forebay.base.GroupId;
import io.forebay.base.fields.FieldReader;
import io.forebay.base.fields.MalformedFields;
import io.forebay.namespace.tree.backed.BackedFile;
import io.forebay.namespace.tree.backed.BackingCall;
import io.forebay.namespace.tree.backed.BackingChange;
import io.forebay.namespace.tree.backed.BackingTable;
import io.forebay.namespace.tree.backed.DrainAttempt;
import io.forebay.namespace.tree.backed.OpenPack;
import io.forebay.wire.message.Data;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads what {@link BackingWriter} wrote. */
final class BackingReader {
  private final BackingTable table;
  private @Nullable BackedFile last;

  BackingReader(BackingTable table) {
    this.table = table;
  }

  void item(ItemKind kind, FieldReader in) throws MalformedFields {
    switch (kind) {
      case NEXT_CHANGE -> {
        table.nextChange = in.getLong();
        table.changesOver = in.getLong();
      }
      case BACKED -> last = readBacked(in);
      case BACKED_ATTEMPT -> {
        backed().attempt = readAttempt(in);
        table.attempted.add(backed().file);
      }
      case HELD -> backed().held.add(readHeld(in));
      case STORE_CHANGE -> table.changes.add(readChange(in));
      case STORE_CALL -> table.call = new BackingCall(in.getLong(), in.getLong(), in.getLong());
      case PACK -> {
        OpenPack pack = readPack(in);
        table.packs.put(pack.order(), pack);
      }
      case PACK_FILE -> {
        Map.Entry<Long, OpenPack> opened = table.packs.lastEntry();
        if (opened == null) throw new MalformedFields("a file before any pack");
        table.packs.put(opened.getKey(), readFile(opened.getValue(), in));
      }
      case OUTDATED -> table.outdated.add(in.getText());
      case REMAINS -> {
        String name = in.getText();
        table.remains.put(name, in.getText());
      }
      case OVER -> table.sight.over = true;
      case UNSEEN -> {
        long directory = in.getLong();
        table.sight.unseen.put(directory, in.getByte() != 0);
      }
      case LEFT_OUT -> {
        long directory = in.getLong();
        table.sight.leftOut.put(directory, in.getInt());
      }
      default -> throw new MalformedFields(kind + " is not about the backing store");
    }
  }

  private BackedFile backed() throws MalformedFields {
    if (last == null) throw new MalformedFields("an attempt before any file");
    return last;
  }

  private BackedFile readBacked(FieldReader in) throws MalformedFields {
    BackedFile backed = new BackedFile(in.getLong());
    backed.name = in.getText();
    backed.nameToBe = in.getText();
    backed.contentTag = in.getText();
    backed.durableVersion = in.getLong();
    backed.durableNanos = in.getLong();
    backed.backedBytes = in.getLong();
    backed.attempts = in.getInt();
    backed.wantedVersion = in.getLong();
    table.files.put(backed.file, backed);
    return backed;
  }

  private static DrainAttempt readAttempt(FieldReader in) throws MalformedFields {
    int number = in.getInt();
    long version = in.getLong();
    long sizeBytes = in.getLong();
    String target = in.getText();
    String handle = in.getText();
    boolean naming = in.getByte() != 0;
    long beganNanos = in.getLong();
    return new DrainAttempt(
        number, version, sizeBytes, target, handle, naming, beganNanos, in.getLong());
  }

  private static OpenPack readPack(FieldReader in) throws MalformedFields {
    long order = in.getLong();
    String handle = in.getText();
    boolean naming = in.getByte() != 0;
    return new OpenPack(order, handle, naming, List.of(), List.of(), List.of());
  }

  private static OpenPack readFile(OpenPack pack, FieldReader in) throws MalformedFields {
    List<Long> files = new ArrayList<>(pack.files());
    List<String> targets = new ArrayList<>(pack.targets());
    List<Long> sizes = new ArrayList<>(pack.sizes());
    files.add(in.getLong());
    targets.add(in.getText());
    sizes.add(in.getLong());
    return new OpenPack(pack.order(), pack.handle(), pack.naming(), files, targets, sizes);
  }

  private BackedFile.Held readHeld(FieldReader in) throws MalformedFields {
    GroupId group = new GroupId(in.getInt());
    FileId file = table.fileId(backed().file);
    long session = in.getLong();
    long from = in.getLong();
    return new BackedFile.Held(group, Data.Dead.records(file, session, from, in.getLong()));
  }

  private static BackingChange readChange(FieldReader in) throws MalformedFields {
    long number = in.getLong();
    int kind = in.getByte();
    return switch (kind) {
      case BackingWriter.COMMIT -> {
        long file = in.getLong();
        int attempt = in.getInt();
        yield new BackingChange.Commit(number, file, attempt, in.getText());
      }
      case BackingWriter.RENAME -> {
        long file = in.getLong();
        yield new BackingChange.Rename(number, file, in.getText());
      }
      case BackingWriter.DELETE -> new BackingChange.Delete(number, in.getLong());
      case BackingWriter.DELETE_NAME -> new BackingChange.DeleteName(number, in.getText());
      case BackingWriter.REMOVE_DIRECTORY ->
          new BackingChange.RemoveDirectory(number, in.getText());
      case BackingWriter.COMMIT_PACK -> new BackingChange.CommitPack(number, in.getLong());
      case BackingWriter.FORGET -> new BackingChange.Forget(number, in.getText());
      default -> throw new MalformedFields("no change of a store has number " + kind);
    };
  }
}
