// SPDX-License-Identifier: Apache-2.0

package io.forebay.store.tier;

/**
 * Memory that dies with the process, in a store without an SSD. The log must record that such
 * memory is in use before it keeps the first record: otherwise the next process would not notice a
 * missing record. Called by the store's owner.
 */
public interface DyingMemory {
  /** Notes that it is in use from now on, and says whether that was possible. */
  boolean mayKeepRecords();

  /** For stores whose owner needs no record of it. */
  DyingMemory ALLOWED = () -> true;
}
