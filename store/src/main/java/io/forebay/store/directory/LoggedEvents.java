// SPDX-License-Identifier: Apache-2.0

package io.forebay.store.directory;

import io.forebay.base.FileId;
import io.forebay.base.RecordId;
import io.forebay.store.StoreEvents;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs the events of a store and forwards them. Called by the log's owner only. */
final class LoggedEvents implements StoreEvents {
  private static final Logger LOG = LoggerFactory.getLogger(LogDirectory.class);

  private final Path directory;
  private final StoreEvents next;

  LoggedEvents(Path directory, StoreEvents next) {
    this.directory = directory;
    this.next = next;
  }

  @Override
  public void segmentSuspect(long segment, String detail) {
    LOG.error("{}: segment {} is suspect: {}", directory, segment, detail);
    next.segmentSuspect(segment, detail);
  }

  @Override
  public void recordDamaged(RecordId record, FileId file, long segment) {
    LOG.error(
        "{}: record {} of file {} in segment {} does not match its checksums",
        directory,
        record,
        file,
        segment);
    next.recordDamaged(record, file, segment);
  }

  @Override
  public void warned(String sentence) {
    LOG.warn("{}: {}", directory, sentence);
    next.warned(sentence);
  }
}
