// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.bundle.definition;

import io.forebay.netcdf.format.ElementType;

/**
 * A variable of planes: one plane, or one per level.
 *
 * @param index its place among all variables of the file
 * @param planes how many planes it has
 */
public record PlaneVariable(String name, ElementType type, int index, long planes) {}
