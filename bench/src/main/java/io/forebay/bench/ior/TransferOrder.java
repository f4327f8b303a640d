// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.ior;

/** The file offset of each transfer of a task. */
interface TransferOrder {
  /** The offset of the transfer that a task makes as its index-th, from 0. */
  long offset(long index);
}
