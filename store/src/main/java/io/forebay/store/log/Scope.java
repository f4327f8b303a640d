// SPDX-License-Identifier: Apache-2.0

package io.forebay.store.log;

import io.forebay.base.FileId;

/** The records that a {@link Mark} names. A scope never depends on positions in a log. */
public sealed interface Scope {
  /** Data records of one session, both ends included. */
  record Records(long session, long fromSequence, long toSequence) implements Scope {}

  /** All data records of a file. File ids are never reused. */
  record WholeFile(FileId file) implements Scope {}

  /** All data records of an instance. */
  record WholeInstance(int instance) implements Scope {}

  /** Entries of a journal from an index on, if their epoch is lower: a tail that diverged. */
  record JournalTail(long journal, long epoch, long fromIndex) implements Scope {}

  /** Entries of a journal before an index, which a snapshot replaces. */
  record JournalHead(long journal, long beforeIndex) implements Scope {}
}
