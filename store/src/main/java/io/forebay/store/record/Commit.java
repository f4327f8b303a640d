// SPDX-License-Identifier: Apache-2.0

package io.forebay.store.record;

/** The results of ending a reservation or requesting a level. */
public enum Commit {
  /** The level is reached; no notification follows. */
  DONE,
  /** The waiter will be notified. */
  PENDING,
  /** A record of that id came first; the reservation is void. */
  DUPLICATE,
  /** The payload does not match the checksums given with it; the reservation is void. */
  MISMATCH,
  /** A tombstone says that the record counts no longer; the reservation is void. */
  DEAD,
  /** There is no room for the level. */
  FULL,
  /** No such record. */
  ABSENT
}
