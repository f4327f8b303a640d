// SPDX-License-Identifier: Apache-2.0

package io.forebay.mount.fuse.operation;

/** Collects the entries of a directory for one answer. */
public interface DirectoryPage {
  /** The maximum size of the answer; an entry takes 24 bytes and its name at least. */
  int roomBytes();

  /** Whether attributes are requested. */
  boolean withAttributes();

  /**
   * Adds a name without attributes that the kernel could cache.
   *
   * @param nextOffset where to go on behind it
   * @return false if it no longer fits
   */
  boolean add(String name, long node, int mode, long nextOffset);

  /** Adds a name with its node's attributes, which must be as of this request. */
  boolean add(String name, NodeEntry entry, long nextOffset);
}
