// SPDX-License-Identifier: Apache-2.0

package io.forebay.store.record;

/** How safe a record must be before its writer is answered. */
public enum Level {
  /** Survives the death of the process: in lasting memory, or written to the SSD's file. */
  KEPT,
  /** Survives a power cut: forced to the SSD. */
  FORCED
}
