// SPDX-License-Identifier: Apache-2.0

package io.forebay.mount.node;

import java.nio.file.Path;

/**
 * How a mount of a node stands.
 *
 * @param why why it is not as it should be, as a sentence; empty if it is
 */
public record MountStanding(Path directory, State state, String why) {
  /** The states of a mount. */
  public enum State {
    /** It is there, and wanted. */
    MOUNTED,
    /** It is wanted, and not there yet. */
    COMING,
    /** It is there, and not wanted any more. */
    GOING
  }
}
