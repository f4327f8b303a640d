// SPDX-License-Identifier: Apache-2.0

package io.forebay.mount.profile;

import io.forebay.client.profile.Profile;
import io.forebay.client.profile.ProfileFolder;
import io.forebay.client.profile.count.Profiler;
import io.forebay.mount.fuse.operation.Errno;
import io.forebay.mount.fuse.operation.ErrnoException;
import io.forebay.mount.fuse.operation.FuseOperations;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What programs do through one mount. It is kept in a file: from time to time, when {@code forebay
 * profile} asks for it by the attribute {@link #ATTRIBUTE} of the mount's root, and at the end. Any
 * thread.
 */
public final class MountProfile implements AutoCloseable {
  /** As programs name it. */
  public static final String ATTRIBUTE = ProfiledOperations.PROFILE;

  private static final Path PROC = Path.of("/proc");
  private static final Duration BETWEEN = Duration.ofSeconds(30);

  private static final Logger LOG = LoggerFactory.getLogger(MountProfile.class);

  /**
   * Where a mount is.
   *
   * @param instance its address
   * @param stripeBytes the unit in which the instance spreads files over servers
   * @param cached whether the kernel caches pages, and cuts writes at their ends
   * @param sinceMillis when it began, since 1970
   */
  public record Mounted(
      String instance, Path directory, long stripeBytes, boolean cached, long sinceMillis) {}

  private final Mounted mounted;
  private final ProfileFolder folder;
  private final NodeNames names = new NodeNames();
  private final Profiler profiler;
  private final Thread keeper;
  private boolean over;
  private boolean warned;

  public MountProfile(Mounted mounted, ProfileFolder folder) {
    this.mounted = mounted;
    this.folder = folder;
    this.profiler =
        new Profiler(mounted.stripeBytes(), mounted.cached(), names::of, System::nanoTime);
    this.keeper =
        Thread.ofPlatform().daemon().name("forebay-mount-profile").start(this::keepFromTimeToTime);
  }

  /** The same operations, counted. */
  public FuseOperations count(FuseOperations operations) {
    CallingPrograms programs = new CallingPrograms(profiler, PROC, System::nanoTime);
    return new ProfiledOperations(
        operations, new CallCounter(profiler, programs), names, this::keepAndName);
  }

  /** What was counted so far. */
  public synchronized Profile profile() {
    String instance = mounted.instance();
    return new Profile(
        instance,
        mounted.directory().toString(),
        ProcessHandle.current().pid(),
        mounted.sinceMillis(),
        System.currentTimeMillis(),
        over,
        profiler.counted(instance));
  }

  private byte[] keepAndName() throws ErrnoException {
    try {
      Path file = folder.file(keep()).toAbsolutePath();
      return file.toString().getBytes(StandardCharsets.UTF_8);
    } catch (IOException e) {
      LOG.warn("the profile cannot be kept in '{}': {}", folder.path(), e.toString());
      throw new ErrnoException(Errno.EIO);
    }
  }

  private synchronized Profile keep() throws IOException {
    Profile profile = profile();
    folder.keep(profile);
    return profile;
  }

  private void keepFromTimeToTime() {
    try {
      while (true) {
        Thread.sleep(BETWEEN);
        keepOrWarn();
      }
    } catch (InterruptedException end) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized void keepOrWarn() {
    try {
      keep();
    } catch (IOException e) {
      if (!warned) LOG.warn("the profile cannot be kept in '{}': {}", folder.path(), e.toString());
      warned = true;
    }
  }

  /** The mount is over; its profile is kept. */
  @Override
  public void close() {
    keeper.interrupt();
    synchronized (this) {
      if (over) return;
      over = true;
      List<?> programs = profile().programs();
      // A mount that no program used leaves nothing.
      if (!programs.isEmpty()) keepOrWarn();
    }
  }
}
