// SPDX-License-Identifier: Apache-2.0

package io.forebay.store.index;

import io.forebay.base.RecordId;

/**
 * Gets what an operation on an {@link ExtentDirectory} removed from the file. Called from within
 * that operation: it must not touch the directory.
 */
public interface Superseded {
  /**
   * Bytes of the file that the record supplied until now are no longer its own. Bytes that never
   * gained a place are not reported, so that placed less superseded is what a record still
   * supplies.
   */
  void superseded(RecordId record, long offset, int lengthBytes);

  /**
   * The record supplies no byte of this file any more, or was published without effect. Called once
   * per operation, after the record's last {@link #superseded}. A record that is published again
   * after it was orphaned is reported again: the directory does not remember dead records.
   *
   * @param group the group that holds the record
   */
  void orphaned(RecordId record, int group);
}
