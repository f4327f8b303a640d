// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.process;

import io.forebay.backing.slow.SlowDevice;
import io.forebay.bench.process.MountedDirectories.Kind;
import io.forebay.bench.process.MountedDirectories.Mounting;
import io.forebay.client.ForebayOptions;
import io.forebay.mount.CacheMode;
import io.forebay.mount.ForebayMount;
import io.forebay.mount.MountOptions;
import io.forebay.mount.passthrough.PassThroughMount;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;

/** The program of {@link MountedDirectories}: mounts until standard input ends. */
final class MountChild {
  /** One mount; closing it unmounts. */
  private interface Mount {
    void close() throws IOException;
  }

  private MountChild() {}

  public static void main(String[] words) throws IOException {
    Deque<Mount> mounts = new ArrayDeque<>();
    try (OrderlyChild _ = OrderlyChild.begin()) {
      serve(words, mounts);
    }
  }

  private static void serve(String[] words, Deque<Mount> mounts) throws IOException {
    try {
      for (int i = 0; i < words.length; i += Mounting.WORDS) {
        Path point = Path.of(words[i + Mounting.WORDS - 1]);
        mounts.push(mount(Mounting.of(words, i), point));
      }
      ChildDesk.serve("mounts");
    } finally {
      while (!mounts.isEmpty()) mounts.pop().close();
    }
  }

  private static Mount mount(Mounting what, Path point) throws IOException {
    CacheMode cache = CacheMode.parse(what.caching().word());
    return switch (what.kind()) {
      case INSTANCE, PROFILED -> instance(what, cache, point)::close;
      case PASS_THROUGH -> PassThroughMount.mount(source(what), point, cache)::close;
      case SLOW -> {
        // All that are mounted from one directory share the device, as they share the files.
        SlowDevice device = SlowDevice.of("mount of " + what.source());
        yield PassThroughMount.mount(
                source(what), point, cache, operations -> SlowOperations.of(operations, device))
            ::close;
      }
    };
  }

  private static Path source(Mounting what) {
    return Path.of(what.source());
  }

  private static ForebayMount instance(Mounting what, CacheMode cache, Path point)
      throws IOException {
    ForebayOptions usual = ForebayOptions.defaults();
    MountOptions settings = new MountOptions().cache(cache);
    if (what.kind() == Kind.PROFILED) settings.profiles(point.resolveSibling(Mounting.PROFILES));
    return ForebayMount.mount(
        what.source(),
        point,
        settings.settings(),
        what.node().isEmpty() ? usual : usual.withNode(what.node()));
  }
}
