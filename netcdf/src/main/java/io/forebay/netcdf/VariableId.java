// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf;

/** A variable of an open file. */
public record VariableId(int index) {}
