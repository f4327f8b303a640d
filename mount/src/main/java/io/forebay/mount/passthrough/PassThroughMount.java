// SPDX-License-Identifier: Apache-2.0

package io.forebay.mount.passthrough;

import io.forebay.mount.CacheMode;
import io.forebay.mount.fuse.FuseSession;
import io.forebay.mount.fuse.FuseSettings;
import io.forebay.mount.fuse.MountPoint;
import io.forebay.mount.fuse.operation.FuseOperations;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;

/** A directory mounted on another one. */
public final class PassThroughMount {
  private static final String KIND = "pass-through";

  private PassThroughMount() {}

  /** Mounts it; closing the session unmounts. */
  public static FuseSession mount(Path source, Path directory, CacheMode cache) throws IOException {
    return mount(source, directory, cache, UnaryOperator.identity());
  }

  /**
   * Mounts it with something in between.
   *
   * @param around makes the operations slower, or otherwise different
   */
  public static FuseSession mount(
      Path source, Path directory, CacheMode cache, UnaryOperator<FuseOperations> around)
      throws IOException {
    Path point = MountPoint.check(directory, false);
    FuseOperations operations = new PassThroughOperations(source.toRealPath(), cache);
    FuseSettings settings =
        new FuseSettings(
            source.toString(), KIND, false, true, cache == CacheMode.WRITEBACK, 1, List.of());
    return FuseSession.mount(point, around.apply(operations), settings);
  }
}
