// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf;

/** A dimension of an open file. */
public record DimensionId(int index) {}
