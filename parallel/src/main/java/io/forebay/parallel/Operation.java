// SPDX-License-Identifier: Apache-2.0

package io.forebay.parallel;

/**
 * A message or task under way: see {@link Group#postSend}, {@link Group#postReceive} and {@link
 * Group#postTask}. Only the rank's own thread that posted it asks for it.
 */
public interface Operation {
  /**
   * Whether it has ended; never blocks. From then on the memory of a message belongs to the program
   * again.
   *
   * @throws RankFailedException if it cannot end because another rank failed
   */
  boolean isDone();
}
