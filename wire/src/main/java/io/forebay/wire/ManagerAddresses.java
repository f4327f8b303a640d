// SPDX-License-Identifier: Apache-2.0

package io.forebay.wire;

import java.util.ArrayList;
import java.util.List;

/** Where the managers of a cluster are, as a process knows it. Any thread. */
public final class ManagerAddresses {
  /** The most that are remembered; a cluster has fewer managers. */
  public static final int ADDRESSES_MAX = 32;

  private ManagerAddresses() {}

  /**
   * The configured addresses, and behind them others that a manager has named. Throws an {@link
   * IllegalArgumentException} if one of these is no address.
   */
  public static List<Address> with(List<Address> configured, List<String> named) {
    List<Address> all = new ArrayList<>(configured);
    for (String each : named) {
      Address address = Address.parse(each);
      if (!all.contains(address) && all.size() < ADDRESSES_MAX) all.add(address);
    }
    return List.copyOf(all);
  }
}
