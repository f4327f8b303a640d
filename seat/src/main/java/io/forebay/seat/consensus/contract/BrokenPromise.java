// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.consensus.contract;

/** An implementation broke a promise of all. */
public final class BrokenPromise extends AssertionError {
  private static final long serialVersionUID = 1L;

  BrokenPromise(String message) {
    super(message);
  }

  static void require(boolean kept, String otherwise) {
    if (!kept) throw new BrokenPromise(otherwise);
  }
}
