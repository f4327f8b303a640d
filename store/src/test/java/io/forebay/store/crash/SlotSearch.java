// SPDX-License-Identifier: Apache-2.0

package io.forebay.store.crash;

import io.forebay.base.RecordId;
import io.forebay.store.directory.LogDirectory;
import io.forebay.store.index.RecordTable;
import io.forebay.store.log.RecordType;
import io.forebay.store.log.Scope;
import io.forebay.store.recovery.LogMismatch;
import io.forebay.store.recovery.SegmentScan;
import io.forebay.store.recovery.SlotScanner;
import io.forebay.store.tier.StoreConfig;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Finds every copy of a record in the slots of a log, and every mark that names it. */
final class SlotSearch {
  private final RecordId id;
  private final SlotScanner scanner;
  private final List<String> found = new ArrayList<>();

  private SlotSearch(RecordId id, SlotScanner scanner) {
    this.id = id;
    this.scanner = scanner;
  }

  /** Says what was found where, for people. */
  static String find(LogDirectory log, Path memory, StoreConfig config, RecordId id)
      throws IOException {
    SlotSearch search = new SlotSearch(id, new SlotScanner(log.id(), config.segmentBytes()));
    search.searchSlots(log.directory().resolve("segments"));
    search.searchSlots(memory.resolve("forebay-" + log.id()));
    return String.join("; ", search.found);
  }

  private void searchSlots(Path directory) throws IOException {
    if (!Files.isDirectory(directory)) return;
    try (Stream<Path> slots = Files.list(directory)) {
      for (Path slot : slots.sorted().toList()) search(slot);
    }
  }

  private void search(Path slot) throws IOException {
    String name = slot.getFileName().toString();
    try {
      ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(slot));
      if (scanner.scan(name, bytes) instanceof SlotScanner.Content.Segment segment) {
        search(segment.scan());
      }
    } catch (LogMismatch mismatch) {
      found.add(name + ": " + mismatch.getMessage());
    }
  }

  private void search(SegmentScan scan) {
    RecordTable table = scan.table();
    for (int entry = 0; entry < table.size(); entry++) {
      boolean data = table.type(entry) == RecordType.DATA;
      if (data && table.id(entry).equals(id)) add(scan, entry, "");
    }
    for (SegmentScan.FoundMark mark : scan.marks()) {
      for (Scope scope : mark.mark().scopes()) {
        if (names(scope)) add(scan, mark.entry(), " of " + scope);
      }
    }
    scan.findings().forEach(finding -> found.add(finding.toString()));
  }

  private boolean names(Scope scope) {
    return scope instanceof Scope.Records records
        && records.session() == id.session()
        && records.fromSequence() <= id.sequence()
        && id.sequence() <= records.toSequence();
  }

  private void add(SegmentScan scan, int entry, String more) {
    RecordTable table = scan.table();
    found.add(
        "%s, segment %d of %s, at %d: %s %s %s%s"
            .formatted(
                scan.slot(),
                scan.header().number(),
                scan.header().stream(),
                table.position(entry),
                table.state(entry),
                table.type(entry),
                table.id(entry),
                more));
  }
}
