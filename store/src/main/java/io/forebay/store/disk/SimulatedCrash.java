// SPDX-License-Identifier: Apache-2.0

package io.forebay.store.disk;

/**
 * The simulated process died inside a call to its {@link FaultyDisk}; only the test may catch it.
 */
public final class SimulatedCrash extends RuntimeException {
  private static final long serialVersionUID = 1L;

  SimulatedCrash(long step) {
    super("crash at disk step " + step);
  }
}
