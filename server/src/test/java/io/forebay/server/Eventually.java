// SPDX-License-Identifier: Apache-2.0

package io.forebay.server;

/** Waits for what happens by itself; the time limit of the test ends a wait that is in vain. */
public final class Eventually {
  private static final long LOOK_MILLIS = 20;

  private Eventually() {}

  /** What is waited for. */
  public interface Condition {
    boolean holds() throws Exception;
  }

  public static void await(Condition condition) throws Exception {
    while (!condition.holds()) Thread.sleep(LOOK_MILLIS);
  }
}
