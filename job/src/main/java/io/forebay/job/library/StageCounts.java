// SPDX-License-Identifier: Apache-2.0

package io.forebay.job.library;

/** How many files are staged, not yet staged, deferred, and failed. */
record StageCounts(long complete, long pending, long deferred, long failed) {
  static final StageCounts NONE = new StageCounts(0, 0, 0, 0);
  static final StageCounts COMPLETE = new StageCounts(1, 0, 0, 0);
  static final StageCounts PENDING = new StageCounts(0, 1, 0, 0);
  static final StageCounts DEFERRED = new StageCounts(0, 0, 1, 0);
  static final StageCounts FAILED = new StageCounts(0, 0, 0, 1);

  StageCounts plus(StageCounts other) {
    return new StageCounts(
        complete + other.complete,
        pending + other.pending,
        deferred + other.deferred,
        failed + other.failed);
  }

  /** As the library reads them; a program gets numbers of 31 bits. */
  String text() {
    return "%d %d %d %d\n".formatted(cut(complete), cut(pending), cut(deferred), cut(failed));
  }

  private static long cut(long count) {
    return Math.min(count, Integer.MAX_VALUE);
  }
}
