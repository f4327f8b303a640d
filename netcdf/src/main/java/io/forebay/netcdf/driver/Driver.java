// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.driver;

import io.forebay.netcdf.format.Header;
import java.io.IOException;
import java.util.List;

/**
 * Transfers data between variables and storage. Calls are collective unless they say otherwise. A
 * rank that fails during a collective call still does its part, so that no other rank waits
 * forever, and throws at the end; the dispatcher then tells all ranks.
 */
public interface Driver extends AutoCloseable {
  /** The plan of a driver whose ranks need no information about each other. */
  long[] NO_PLAN = new long[0];

  /**
   * New definitions: writes the header and moves data whose position changed.
   *
   * @param header with positions for all variables
   */
  void define(Header header) throws IOException;

  /**
   * Writes. Where requests overlap, the younger one wins; at the same age, the higher rank; on the
   * same rank, the later one in the list.
   *
   * @param collective whether all ranks call it, each with its own requests or with none
   * @return whether every value fitted the type of its variable
   */
  boolean put(List<Transfer> puts, boolean collective) throws IOException;

  /**
   * The numbers that this rank sends to the others before a collective put. Every rank sends the
   * same count of numbers.
   */
  default long[] plan(List<Transfer> puts) {
    return NO_PLAN;
  }

  /**
   * A collective put after all ranks have exchanged their plans.
   *
   * @param plans the plans of all ranks, in the order of ranks
   */
  default boolean putAll(List<Transfer> puts, long[] plans) throws IOException {
    return put(puts, true);
  }

  /**
   * Whether all ranks learn the result of a collective put on every rank. If not, a put does not
   * wait for other ranks, and a failure is seen by its own rank only.
   */
  default boolean agreesOnPuts() {
    return true;
  }

  /** Reads this rank's earlier writes, and writes of other ranks before the last sync. */
  boolean get(List<Transfer> gets, boolean collective) throws IOException;

  /**
   * Writes fill values over a variable, or over some records of it.
   *
   * @param record the first of them; 0 if the variable has no records
   * @param count how many; 1 if the variable has no records
   */
  void fill(int variable, long record, long count) throws IOException;

  /** Sets the file's number of records. */
  void recordCount(long count) throws IOException;

  /** Writes everything that was put to the file. */
  void flush() throws IOException;

  /** Puts everything on stable storage, visible to all ranks. */
  void sync() throws IOException;

  /** Closes the driver; then everything that was put is in the file. */
  @Override
  void close() throws IOException;
}
