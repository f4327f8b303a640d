// SPDX-License-Identifier: Apache-2.0

package io.forebay.mount.fuse;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Who may mount. */
class MountPointTest {
  @Test
  void whatIsMissingIsNamed() {
    assertThat(MountPoint.obstacle(true, true, false)).isNull();
    assertThat(MountPoint.obstacle(false, true, true)).isNull();
    assertThat(MountPoint.obstacle(false, true, false)).contains("apt-get install fuse3");
    assertThat(MountPoint.obstacle(false, false, true))
        .contains("this user may not open /dev/fuse")
        .contains("chmod 666 /dev/fuse");
  }
}
