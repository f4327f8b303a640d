// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.consensus;

import io.forebay.wire.Address;
import java.util.List;

/**
 * That a manager is one of several.
 *
 * @param name what operators call it
 * @param listen where the other managers reach it; with port 0 it chooses one and keeps it
 * @param managers the others, as far as they are known: a manager with an empty directory joins
 *     their cluster. Without any, it is the first manager of its cluster
 */
public record GroupOptions(String name, Address.Inet listen, List<Address> managers) {
  public GroupOptions {
    managers = List.copyOf(managers);
  }
}
