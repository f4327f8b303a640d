// SPDX-License-Identifier: Apache-2.0

package io.forebay.store.crash;

import io.forebay.base.FileId;
import io.forebay.base.RecordId;
import io.forebay.store.log.Scope;

/** Something a workload does to a store, as its ledger tells of it. */
sealed interface Act {
  /** A data record is written; its bytes follow from its id. */
  record Write(RecordId record, int payloadBytes) implements Act {}

  /** A record is shown in a file. */
  record Publish(FileId file, long offset, RecordId record, int payloadBytes) implements Act {}

  record Truncate(FileId file, long sizeBytes) implements Act {}

  record Delete(FileId file) implements Act {}

  /** What a file shows may be evicted from now on. */
  record CleanFile(FileId file) implements Act {}

  /** Records are killed. */
  record Kill(Scope.Records records) implements Act {}

  /** Records may be evicted from now on. */
  record Clean(Scope.Records records) implements Act {}

  /** Whether it goes to the files' journal. */
  default boolean changesFile() {
    return switch (this) {
      case Publish p -> true;
      case Truncate t -> true;
      case Delete d -> true;
      default -> false;
    };
  }
}
