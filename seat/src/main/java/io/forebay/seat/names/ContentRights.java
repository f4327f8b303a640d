// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.names;

import io.forebay.base.RecordId;
import io.forebay.wire.message.Names;
import java.util.List;

/** The rights to a file's content that requests ask for, and those that they need (P28). Pure. */
final class ContentRights {
  private static final RecordId NONE = new RecordId(0, 0);

  private ContentRights() {}

  /** The rights of a file that was opened with these flags. */
  static int of(Names.Open open) {
    boolean writes = open.write() || open.truncate();
    return (open.read() ? Names.MAY_READ : 0) | (writes ? Names.MAY_WRITE : 0);
  }

  /** The ranges without the records: a session that only writes may look for holes. */
  static Names.RunsAre withoutRecords(Names.RunsAre runs) {
    List<Names.Run> hidden =
        runs.runs().stream()
            .map(run -> new Names.Run(run.offset(), run.lengthBytes(), run.group(), NONE, 0))
            .toList();
    return new Names.RunsAre(
        runs.sizeBytes(), runs.version(), runs.throughOffset(), runs.backedBytes(), hidden);
  }

  /**
   * The file that a change writes by its number alone; 0 for none. Changes with a path check rights
   * along the path, as opening does.
   */
  static long writtenBy(Names.Change change) {
    return switch (change) {
      case Names.Publish publish -> publish.file();
      case Names.Punch punch -> punch.file();
      case Names.Allocate allocate -> allocate.file();
      case Names.SetAttributes set ->
          set.path().isEmpty() && set.sizeBytes() != Names.UNCHANGED ? set.directory() : 0;
      default -> 0;
    };
  }
}
