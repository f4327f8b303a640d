// SPDX-License-Identifier: Apache-2.0

package io.forebay.store.segment;

/** The results of a request for room. No room is an answer with a reason, not an error. */
public sealed interface Reserve {
  record Reserved(Reservation reservation) implements Reserve {}

  /** No room now: poll the store and retry, or use another store. */
  record Full(Reason reason) implements Reserve {}

  /** A record of that id is here already. */
  record Duplicate() implements Reserve {}

  /** A tombstone says that the record counts no longer. */
  record Dead() implements Reserve {}

  /** Why there is no room. */
  enum Reason {
    /** Segments are being made; it takes moments. */
    PREPARING,
    /** Memory is full and is being written to the SSD. */
    SPILLING,
    /** Memory is full of what must be kept, and there is no SSD to spill to. */
    MEMORY_FULL,
    /** Memory and SSD are full of data that must be kept: it has to be drained or deleted. */
    SSD_FULL
  }
}
