// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.bundle.partition;

/** How ranks are divided into groups, one group for each bundle, and how planes reach them. */
public enum Scheme {
  /** Balanced: group sizes follow the sizes of bundles; a plane is gathered by its plane root. */
  BPS,
  /** Locality-oriented: the same with whole nodes. */
  LPS,
  /**
   * Isolation-driven: groups as BPS; each member receives a share of every plane from few ranks.
   */
  IPS
}
