// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.experiments;

/**
 * A ratio that a paper tells, and ours.
 *
 * @param paper as it stands there, or follows from what stands there
 */
public record Comparison(String what, String paper, double ours) {}
