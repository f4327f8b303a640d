// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.history.file;

/** A range of a file's bytes. */
public record Range(long from, long to) {
  @Override
  public String toString() {
    return "[" + from + ", " + to + ")";
  }
}
