// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.chaos;

import java.util.concurrent.atomic.AtomicLong;

/** Shared counters of writers and readers. Any thread. */
final class Tally {
  final AtomicLong acknowledgedBytes = new AtomicLong();
  final AtomicLong operations = new AtomicLong();
  final AtomicLong failedOperations = new AtomicLong();
  final AtomicLong lostBytes = new AtomicLong();
  final AtomicLong wrongBytes = new AtomicLong();
  final AtomicLong verifiedBytes = new AtomicLong();
}
