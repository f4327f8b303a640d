// SPDX-License-Identifier: Apache-2.0

package io.forebay.backing;

/** The state of an attempt in the store, when its progress is unknown (P23). */
public enum Sighting {
  /** The name exists and has the complete content of this attempt. */
  COMMITTED,
  /** It has begun and its bytes are not under the name. */
  PENDING,
  /** It has left no trace: never begun, aborted, or committed and since replaced or deleted. */
  GONE
}
