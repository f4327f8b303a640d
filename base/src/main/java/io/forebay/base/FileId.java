// SPDX-License-Identifier: Apache-2.0

package io.forebay.base;

/** Names one file of one instance. A number is never reused within its instance. */
public record FileId(int instance, long number) implements Comparable<FileId> {
  @Override
  public int compareTo(FileId other) {
    int byInstance = Integer.compare(instance, other.instance);
    return byInstance != 0 ? byInstance : Long.compare(number, other.number);
  }

  @Override
  public String toString() {
    return instance + ":" + number;
  }
}
