// SPDX-License-Identifier: Apache-2.0

package io.forebay.metrics;

/** A part of a process that tells values when it is asked. */
public interface Source {
  /** Adds its values; returns soon, even if what it asks does not answer. On any thread. */
  void collect(Samples to);
}
