// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf;

/** A posted request; its memory belongs to the file until the request has been waited for. */
public record Pending(long number) {}
