// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.machine;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What happens when a loop, or another thread, ends by an error. A process of its own ends at once:
 * after an error nothing may be acknowledged, and a process that holds its port and answers nothing
 * keeps others from replacing it. Its log is as after a crash, which the next process recovers. Any
 * thread.
 */
@FunctionalInterface
public interface FailStop {
  /** The code with which such a process ends; the JVM's own when it runs out of memory. */
  int EXIT_CODE = 3;

  /** For servers inside of another program: their owner sees the failure and decides. */
  FailStop NONE = (what, cause) -> {};

  /**
   * Called once the error has happened.
   *
   * @param what the thread that failed
   */
  void failed(String what, Throwable cause);

  /** Ends this process. */
  static FailStop halting() {
    Logger log = LoggerFactory.getLogger(FailStop.class);
    return (what, cause) -> {
      try {
        log.error("{} has failed, and this process ends at once", what, cause);
      } finally {
        // Not exit: hooks would close what is broken, and might wait for it.
        Runtime.getRuntime().halt(EXIT_CODE);
      }
    };
  }

  /**
   * Lets an {@link Error} of any other thread of this process count as well, such as a lack of
   * memory. An exception of a helping thread ends that thread only, and is logged.
   */
  default void watchThreads() {
    Logger log = LoggerFactory.getLogger(FailStop.class);
    Thread.setDefaultUncaughtExceptionHandler(
        (thread, cause) -> {
          if (cause instanceof Error) failed("thread '" + thread.getName() + "'", cause);
          else log.error("thread '{}' has ended by an exception", thread.getName(), cause);
        });
  }
}
