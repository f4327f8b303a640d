// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.bundle.plan;

/**
 * Strips of one round that an aggregator writes at a time.
 *
 * @param first the first strip, in the group's order
 * @param end the strip behind the last
 * @param aggregator the member that writes it
 */
public record Window(int round, int first, int end, int aggregator) {}
