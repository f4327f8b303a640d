// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.profile.count;

import io.forebay.client.profile.Call;
import io.forebay.client.profile.FileProfile;
import io.forebay.client.profile.Order;
import io.forebay.client.profile.ProgramProfile;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;

/**
 * Counts what a program of a user does. The files with the most bytes have cells of their own, by
 * the space-saving algorithm: a file without one gets the cell with the fewest bytes. One owner.
 */
final class ProgramCell {
  static final int FILES_MAX = 32;

  private final long stripeBytes;
  private final LongFunction<String> paths;
  private final Accesses reads;
  private final Accesses writes;
  private final Calls calls = new Calls();
  private final FewNumbers processes = new FewNumbers(ProgramProfile.PROCESSES_MAX);
  private final Map<Long, FileCell> files = new HashMap<>();
  private final DistinctEstimate filesSeen = new DistinctEstimate();
  private boolean replaced;

  ProgramCell(long stripeBytes, LongFunction<String> paths) {
    this.stripeBytes = stripeBytes;
    this.paths = paths;
    reads = new Accesses(stripeBytes);
    writes = new Accesses(stripeBytes);
  }

  void call(int call, long file, int process, long nanos) {
    calls.add(call, nanos);
    processes.add(process);
    if (file != 0) cell(file).call(call, nanos);
  }

  /**
   * A read or write.
   *
   * @param cut whether the kernel may have cut it at the end of a page
   */
  void access(Characteriser.Place place, long file, boolean cut) {
    FileCell cell = cell(file);
    AccessStream stream = cell.stream(place.write, place.stream);
    if (!cut || !place.write) {
      count(cell, stream, place);
      return;
    }
    CutWrites cuts = stream.cuts();
    if (cuts.holds()) {
      if (cuts.continues(place.offset, place.lengthBytes)) {
        place.offset = cuts.heldOffset();
        place.lengthBytes += cuts.heldBytes();
        cuts.letGo();
        cuts.whole(place.lengthBytes);
        calls.joined(Call.WRITE);
        cell.joined(Call.WRITE);
        count(cell, stream, place);
        return;
      }
      countHeld(cell, stream, place.process);
    }
    if (!cuts.hold(place.offset, place.lengthBytes)) count(cell, stream, place);
  }

  private void countHeld(FileCell cell, AccessStream stream, int process) {
    CutWrites cuts = stream.cuts();
    if (!cuts.holds()) return;
    Characteriser.Place held = new Characteriser.Place();
    held.write = true;
    held.process = process;
    held.offset = cuts.heldOffset();
    held.lengthBytes = cuts.heldBytes();
    cuts.letGo();
    count(cell, stream, held);
  }

  private void count(FileCell cell, AccessStream stream, Characteriser.Place place) {
    Order order = stream.next(place.offset, place.lengthBytes);
    long distance = stream.distance();
    cell.access(place, order, distance);
    (place.write ? writes : reads).add(place.offset, place.lengthBytes, order, distance);
  }

  private FileCell cell(long file) {
    FileCell found = files.get(file);
    if (found != null) return found;
    filesSeen.add(file);
    FileCell cell;
    long missed = 0;
    if (files.size() < FILES_MAX) {
      cell = new FileCell(stripeBytes);
    } else {
      cell = least();
      countHeld(cell);
      files.remove(cell.number());
      missed = cell.bytes();
      replaced = true;
    }
    cell.begin(file, paths.apply(file), missed);
    files.put(file, cell);
    return cell;
  }

  /** What was held back to see how it goes on. */
  private void countHeld(FileCell cell) {
    cell.writeStreams().forEach((number, stream) -> countHeld(cell, stream, number));
  }

  private FileCell least() {
    FileCell least = null;
    for (FileCell each : files.values()) {
      if (least == null || each.bytes() < least.bytes()) least = each;
    }
    if (least == null) throw new IllegalStateException("no cells");
    return least;
  }

  ProgramProfile counted(String instance, int user, String program) {
    List<FileProfile> largest = new ArrayList<>();
    for (FileCell cell : files.values()) {
      countHeld(cell);
      largest.add(cell.counted());
    }
    largest.sort(
        Comparator.comparingLong(FileProfile::bytes)
            .reversed()
            .thenComparingLong(FileProfile::number));
    return new ProgramProfile(
        instance,
        user,
        program,
        processes.list(),
        stripeBytes,
        reads.counted(),
        writes.counted(),
        calls.counted(),
        replaced ? Math.max(filesSeen.count(), largest.size() + 1) : largest.size(),
        largest);
  }
}
