// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.stage;

import io.forebay.client.ForebayOptions;
import io.forebay.wire.Address;
import java.nio.file.Path;
import java.util.List;

/**
 * What a server may stage, and as what.
 *
 * @param server its name, for people
 * @param managers where managers listen
 * @param roots only what is below these directories is staged; nothing if there are none
 * @param options how it connects to instances; the identity is whoever runs the server
 */
public record StagerConfig(
    String server, List<Address> managers, List<Path> roots, ForebayOptions options) {
  public StagerConfig {
    managers = List.copyOf(managers);
    roots = List.copyOf(roots);
  }
}
