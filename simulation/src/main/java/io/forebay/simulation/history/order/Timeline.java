// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.history.order;

import io.forebay.simulation.history.file.Change;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/**
 * Changes in the order of their earliest time, to find the changes that may have happened in a span
 * without a full scan. It ignores bounds that are narrowed later, so it may find too many.
 */
final class Timeline {
  private final Change[] changes;

  /** The latest time of all changes up to each. */
  private final int[] latestSoFar;

  private final int[] earliest;

  Timeline(Collection<? extends Change> all) {
    changes = all.toArray(Change[]::new);
    Arrays.sort(changes, Comparator.comparingInt(change -> change.earliest.position()));
    earliest = new int[changes.length];
    latestSoFar = new int[changes.length];
    int latest = 0;
    for (int i = 0; i < changes.length; i++) {
      earliest[i] = changes[i].earliest.position();
      latest = Math.max(latest, changes[i].latest.position());
      latestSoFar[i] = latest;
    }
  }

  /** Whether every change happened before a span or after it. */
  boolean isQuiet(int from, int to) {
    int last = firstFrom(to) - 1;
    return last < 0 || latestSoFar[last] < from;
  }

  /** The changes that may have happened in a span, the last first. */
  List<Change> during(int from, int to) {
    List<Change> found = new ArrayList<>();
    for (int i = firstFrom(to) - 1; i >= 0 && latestSoFar[i] > from; i--) {
      if (changes[i].latest.position() > from) found.add(changes[i]);
    }
    return found;
  }

  /** The first change that cannot have happened before a position. */
  private int firstFrom(int position) {
    int found = Arrays.binarySearch(earliest, position);
    // Several may be equal; positions of begins are, where one operation asked for all of them.
    if (found < 0) return -found - 1;
    while (found > 0 && earliest[found - 1] == position) found--;
    return found;
  }
}
