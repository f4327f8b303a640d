// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.stage;

import io.forebay.client.ForebayOptions;
import io.forebay.server.stage.side.FilePace;
import io.forebay.wire.Address;
import java.nio.file.Path;
import java.util.List;

/**
 * The staging configuration of a server.
 *
 * @param server its name, for messages
 * @param managers the addresses of managers
 * @param roots only files below these directories are staged; nothing if there are none
 * @param pace of all stages together
 * @param options how it connects to instances; the identity is the server's user
 */
public record StagerConfig(
    String server,
    List<Address> managers,
    List<Path> roots,
    FilePace pace,
    ForebayOptions options) {
  public StagerConfig {
    managers = List.copyOf(managers);
    roots = List.copyOf(roots);
  }
}
