// SPDX-License-Identifier: Apache-2.0

package io.forebay.store.segment;

/** How asking for room can end. No room is an answer, with its reason, not an error. */
public sealed interface Reserve {
  record Reserved(Reservation reservation) implements Reserve {}

  /** Not now; poll the store and ask again, or go elsewhere. */
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
    /** Memory and SSD are full of what must be kept: it has to be drained or deleted. */
    SSD_FULL
  }
}
