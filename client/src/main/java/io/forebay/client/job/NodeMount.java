// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.job;

import io.forebay.wire.message.Jobs;

/**
 * A mount of a node, as its agent reports it.
 *
 * @param why why it does not stand as it should, as a sentence; empty if it does
 */
public record NodeMount(String directory, Standing standing, String why) {
  /** How a mount stands. */
  public enum Standing {
    /** It is there, and wanted. */
    MOUNTED,
    /** It is wanted, and not there yet. */
    COMING,
    /** It is there, and not wanted any more. */
    GOING
  }

  /** As in a message. */
  public Jobs.Mount onWire() {
    Jobs.Standing stands =
        switch (standing) {
          case MOUNTED -> Jobs.Standing.MOUNTED;
          case COMING -> Jobs.Standing.COMING;
          case GOING -> Jobs.Standing.GOING;
        };
    return new Jobs.Mount(directory, stands, why);
  }

  static NodeMount of(Jobs.Mount mount) {
    Standing stands =
        switch (mount.standing()) {
          case MOUNTED -> Standing.MOUNTED;
          case COMING -> Standing.COMING;
          case GOING -> Standing.GOING;
        };
    return new NodeMount(mount.directory(), stands, mount.why());
  }
}
