// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.consensus;

import io.forebay.server.folder.ServiceFolder;
import java.io.IOException;

/**
 * Finds the library that lets several managers agree: on the class path, or in the folder {@code
 * consensus} beside the folder of this program's jars. Any thread.
 */
public final class ConsensusProviders {
  private static final ServiceFolder<ConsensusProvider> FOLDER =
      new ServiceFolder<>(ConsensusProvider.class, "consensus");

  private ConsensusProviders() {}

  /** The one of this program; an exception says what is missing. */
  public static ConsensusProvider find() throws IOException {
    ConsensusProvider found = FOLDER.find();
    if (found != null) return found;
    throw new IOException(
        "this installation cannot run several managers: %s is missing; build or install it, or configure one manager"
            .formatted(FOLDER.described()));
  }
}
