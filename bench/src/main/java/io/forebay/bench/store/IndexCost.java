// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.store;

/**
 * The result of one measurement of an index.
 *
 * @param bytesEach heap per entry once all are in
 * @param addNanos time to add one, mean from the first to the last
 * @param findNanos time to find a random one when all are in
 */
record IndexCost(double bytesEach, double addNanos, double findNanos) {}
