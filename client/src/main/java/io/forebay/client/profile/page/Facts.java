// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.profile.page;

import io.forebay.client.profile.AccessCounts;
import io.forebay.client.profile.Call;
import io.forebay.client.profile.CommonValue;
import io.forebay.client.profile.FileProfile;
import io.forebay.client.profile.Order;
import io.forebay.client.profile.ProgramProfile;
import org.jspecify.annotations.Nullable;

/** What holds for most reads, or most writes, of a program. A value. */
record Facts(ProgramProfile program, boolean write) {
  /** So many of 100 are most. */
  private static final int MOST = 60;

  private static final int ALL = 100;

  /** One of so many is nearly none. */
  private static final int FEW = 20;

  AccessCounts accesses() {
    return write ? program.writes() : program.reads();
  }

  static boolean isMost(long part, long whole) {
    return whole > 0 && part * ALL >= whole * MOST;
  }

  long count() {
    return accesses().count();
  }

  /** The size of which most are, or null if sizes differ. */
  @Nullable CommonValue commonSize() {
    if (accesses().sizes().isEmpty()) return null;
    CommonValue first = accesses().sizes().get(0);
    return isMost(first.count(), count()) ? first : null;
  }

  boolean areSmall(long powerOfTwo) {
    return isMost(accesses().below(powerOfTwo), count());
  }

  boolean areUnaligned() {
    return isMost(accesses().pageUnaligned(), count());
  }

  /** None of them, nearly. */
  boolean areAligned() {
    return accesses().pageUnaligned() * FEW < count();
  }

  boolean crossStripes() {
    return isMost(accesses().stripeCrossing(), count());
  }

  /** Strided, random or with other gaps. */
  boolean skip() {
    AccessCounts all = accesses();
    long skipping = all.of(Order.STRIDED) + all.of(Order.RANDOM) + all.of(Order.SEQUENTIAL);
    return isMost(skipping, count() - all.of(Order.FIRST));
  }

  boolean are(Order order) {
    return isMost(accesses().of(order), count() - accesses().of(Order.FIRST));
  }

  /** The processes that wrote, or read, a file. */
  int processesOf(FileProfile file) {
    return (write ? file.writers() : file.readers()).size();
  }

  private AccessCounts of(FileProfile file) {
    return write ? file.writes() : file.reads();
  }

  /** How many files that are told apart were accessed by several processes. */
  int sharedFiles() {
    int shared = 0;
    for (FileProfile file : program.files()) if (processesOf(file) > 1) shared++;
    return shared;
  }

  int accessedFiles() {
    int accessed = 0;
    for (FileProfile file : program.files()) if (of(file).count() > 0) accessed++;
    return accessed;
  }

  /** The most processes of any file. */
  int sharers() {
    int most = 0;
    for (FileProfile file : program.files()) most = Math.max(most, processesOf(file));
    return most;
  }

  /** Whether most bytes are those of files with several processes. */
  boolean areShared() {
    long shared = 0;
    for (FileProfile file : program.files()) {
      if (processesOf(file) > 1) shared += of(file).bytes();
    }
    return isMost(shared, accesses().bytes());
  }

  boolean isMostTime(Call.Kind kind) {
    return isMost(program.calls().nanos(kind), program.calls().allNanos());
  }
}
