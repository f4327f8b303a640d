// SPDX-License-Identifier: Apache-2.0

package io.forebay.consensus.ratis;

import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * Quiets the engine's libraries, which write to stderr past SLF4J unless told otherwise. Any
 * thread.
 */
final class EngineLog {
  /** Kept, since a logger that is not referenced forgets its level. */
  private static final Logger LIBRARIES = Logger.getLogger("org.apache.ratis.thirdparty");

  private EngineLog() {}

  /** A level that was set on purpose stays. */
  static void quiet() {
    if (LIBRARIES.getLevel() == null) LIBRARIES.setLevel(Level.OFF);
  }
}
