// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.experiments.report;

/**
 * Something that a paper says, and whether it is so here.
 *
 * @param here our figures, in words
 */
public record Statement(String paper, boolean agrees, String here) {
  /** The verdict in one or two words. */
  public String verdict() {
    return agrees ? "agrees" : "does not";
  }
}
