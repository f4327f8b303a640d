// SPDX-License-Identifier: Apache-2.0

package io.forebay.backing;

/** What one finds of an attempt when nobody knows how far it came (P23). */
public enum Sighting {
  /** The name is there and is the whole of what this attempt stored. */
  COMMITTED,
  /** It has begun and its bytes are not under the name. */
  PENDING,
  /** It has left no trace: never begun, aborted, or committed and since replaced or deleted. */
  GONE
}
