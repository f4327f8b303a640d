// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.ior;

/**
 * A step that all tasks take at the same time.
 *
 * @param shift the distance to the task whose part a task works on
 */
record Phase(Kind kind, int shift) {
  enum Kind {
    WRITE,
    READ,
    CHECK
  }

  /** The task whose part of the files a task works on. */
  int owner(int task, int tasks) {
    return (task + shift) % tasks;
  }
}
