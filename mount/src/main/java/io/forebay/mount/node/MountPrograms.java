// SPDX-License-Identifier: Apache-2.0

package io.forebay.mount.node;

import java.io.IOException;
import java.nio.file.Path;

/** Mounts and unmounts; both take a while. Any thread. */
public interface MountPrograms {
  /**
   * Returns when it is mounted.
   *
   * @throws IOException with a sentence that says why it is not
   */
  void mount(WantedMount wanted) throws IOException;

  /**
   * Returns when it is unmounted and everything written is kept.
   *
   * @param lazy whether programs that use it may go on until they close their files
   * @throws IOException with a sentence that says why it is not
   */
  void unmount(Path directory, boolean lazy) throws IOException;
}
