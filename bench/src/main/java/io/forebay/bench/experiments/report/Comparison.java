// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.experiments.report;

/**
 * A ratio of a paper, and ours.
 *
 * @param paper as stated there, or derived from it
 */
public record Comparison(String what, String paper, double ours) {}
