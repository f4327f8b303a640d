package io.forebay.namespace.tree;

import io.forebay.base.FileId;
import io.forebay.base.GroupId;
import io.forebay.base.fields.FieldReader;
import io.forebay.base.fields.MalformedFields;
import io.forebay.wire.message.Data;
import org.jspecify.annotations.Nullable;

/** Takes what {@link StoreWriter} wrote. */
final class StoreReader {
  private final StoreTable table;
  private @Nullable BackedFile last;

  StoreReader(StoreTable table) {
    this.table = table;
  }

  void item(ItemKind kind, FieldReader in) throws MalformedFields {
    switch (kind) {
      case NEXT_CHANGE -> table.nextChange = in.getLong();
      case BACKED -> last = readBacked(in);
      case BACKED_ATTEMPT -> {
        backed().attempt = readAttempt(in);
        table.attempted.add(backed().file);
      }
      case HELD -> backed().held.add(readHeld(in));
      case STORE_CHANGE -> table.changes.add(readChange(in));
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
    return new DrainAttempt(number, version, sizeBytes, target, handle, naming, in.getLong());
  }

  private BackedFile.Held readHeld(FieldReader in) throws MalformedFields {
    GroupId group = new GroupId(in.getInt());
    FileId file = table.fileId(backed().file);
    long session = in.getLong();
    long from = in.getLong();
    return new BackedFile.Held(group, Data.Dead.records(file, session, from, in.getLong()));
  }

  private static StoreChange readChange(FieldReader in) throws MalformedFields {
    long number = in.getLong();
    int kind = in.getByte();
    return switch (kind) {
      case StoreWriter.COMMIT -> {
        long file = in.getLong();
        int attempt = in.getInt();
        yield new StoreChange.Commit(number, file, attempt, in.getText());
      }
      case StoreWriter.RENAME -> {
        long file = in.getLong();
        yield new StoreChange.Rename(number, file, in.getText());
      }
      case StoreWriter.DELETE -> new StoreChange.Delete(number, in.getLong());
      case StoreWriter.DELETE_NAME -> new StoreChange.DeleteName(number, in.getText());
      case StoreWriter.REMOVE_DIRECTORY -> new StoreChange.RemoveDirectory(number, in.getText());
      default -> throw new MalformedFields("no change of a store has number " + kind);
    };
  }
}
