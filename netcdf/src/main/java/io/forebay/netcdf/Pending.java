// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf;

/** A request that was posted; its memory belongs to the file until it was waited for. */
public record Pending(long number) {}
