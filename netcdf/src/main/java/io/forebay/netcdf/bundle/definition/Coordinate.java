// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.bundle.definition;

import io.forebay.netcdf.data.Values;

/**
 * A variable along one dimension whose values are known from the start, such as the latitudes.
 *
 * @param index its place among all variables of the file
 */
public record Coordinate(String name, int index, Values values) {}
