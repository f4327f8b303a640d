// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench;

/** The machine or the options do not allow the benchmark; the message names the remedy. */
public final class BenchmarkImpossible extends Exception {
  private static final long serialVersionUID = 1L;

  public BenchmarkImpossible(String message) {
    super(message);
  }
}
