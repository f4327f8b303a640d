// SPDX-License-Identifier: Apache-2.0

package io.forebay.backing.contract;

/** A store broke a promise of all stores. */
public final class BrokenPromise extends AssertionError {
  private static final long serialVersionUID = 1L;

  BrokenPromise(String message) {
    super(message);
  }

  BrokenPromise(String message, Throwable cause) {
    super(message, cause);
  }
}
