// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.ior;

/**
 * What all tasks do at the same time.
 *
 * @param shift a task does it with what the task so many behind it has to write
 */
record Phase(Kind kind, int shift) {
  enum Kind {
    WRITE,
    READ,
    CHECK
  }

  /** Whose part of the files a task deals with. */
  int owner(int task, int tasks) {
    return (task + shift) % tasks;
  }
}
