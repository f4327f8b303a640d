// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.mount;

import io.forebay.job.library.MountedPaths;
import io.forebay.mount.ForebayMount;
import io.forebay.mount.fuse.Mounts;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The instances that the kernel's table of mounts shows. Any thread. */
public final class KernelMounts implements MountedPaths {
  @Override
  public @Nullable Mounted find(String path) throws IOException {
    return Mounts.holding(Path.of(path))
        .filter(mount -> ForebayMount.TYPES.contains(mount.type()))
        .map(
            mount ->
                new Mounted(
                    mount.directory().toString(),
                    mount.source(),
                    mount.type().equals(ForebayMount.TYPE_PRIVATE)))
        .orElse(null);
  }
}
