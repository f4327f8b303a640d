// SPDX-License-Identifier: Apache-2.0

package io.forebay.ring;

/**
 * A pool, as an entry of the map: servers that share a unit of allocation.
 *
 * @param granuleBytes the unit in which instances get capacity
 * @param userBytesMax the capacity that all instances of one user may have together; 0 for no limit
 * @param protection the default write protection of its instances, as text; empty for none
 */
public record Pool(String name, long granuleBytes, long userBytesMax, String protection) {
  /** The pool of a server that names none. */
  public static final String DEFAULT = "default";

  public Pool {
    if (granuleBytes < 1) {
      throw new IllegalArgumentException("pool " + name + " has granules of " + granuleBytes);
    }
    if (userBytesMax < 0) {
      throw new IllegalArgumentException("pool " + name + " allows a user " + userBytesMax);
    }
  }
}
