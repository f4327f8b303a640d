// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.history;

/** The rules that a history can break. */
public enum Rule {
  /** A read returns only bytes that were written there before. */
  NEVER_WRITTEN,
  /** Refused data is never seen by others, nor by its writer afterwards. */
  REFUSED_SEEN,
  /** Others see a write only once it is published, and never if its session ended before. */
  UNPUBLISHED_SEEN,
  /** A client sees its own writes at once. */
  LOST_OWN_WRITE,
  /** Published data is seen by every read that begins afterwards, until it is replaced. */
  STALE_READ,
  /** A client that saw newer data never sees older data there again. */
  NOT_MONOTONIC,
  /** A record, and all that was published with it, is seen whole. */
  TORN_RECORD,
  /** There is one order of publishes that explains what all reads saw. */
  NO_ORDER,
  /** A pair has one value, whole. */
  PAIR_TORN,
  /** Operations on a pair happen one after another, each between its begin and its end. */
  PAIR_NOT_LINEARIZABLE,
  /** Not broken: too much was open at the same time to find out. */
  PAIR_UNDECIDED
}
