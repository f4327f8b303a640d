// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.mount;

import io.forebay.cli.terminal.CommandFailed;
import io.forebay.mount.ForebayMount;
import io.forebay.mount.fuse.Mounts;
import io.forebay.mount.fuse.operation.Errno;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Unmounts. */
@Command(
    name = "umount",
    description = "Unmount a directory; returns when all writes through it are kept.")
public final class UmountCommand implements Callable<Integer> {
  private static final String PROCESS = "forebay.mount.process";
  private static final Duration END_MAX = Duration.ofSeconds(100);

  @Parameters(paramLabel = "DIR", description = "Which directory.")
  private Path directory = Path.of("");

  @Option(
      names = {"-z", "--lazy"},
      description = "Even if programs use it: they keep their open files until they close them.")
  private boolean lazy;

  @Override
  public Integer call() throws IOException {
    Path point = Mounts.directory(directory);
    Optional<Mounts.Mount> mount = Mounts.at(point);
    if (mount.isEmpty()) {
      throw new CommandFailed(
          "nothing is mounted on '%s'; 'findmnt -t %s' shows what is"
              .formatted(
                  directory, String.join(",", ForebayMount.TYPE, ForebayMount.TYPE_PRIVATE)));
    }
    if (!ForebayMount.TYPES.contains(mount.get().type())) {
      throw new CommandFailed(
          "'%s' is a mount of type %s; use 'umount %s'"
              .formatted(directory, mount.get().type(), directory));
    }
    long process = processOf(point);
    int errno = lazy ? Mounts.detach(point) : Mounts.unmount(point);
    if (errno != 0) throw new CommandFailed(sentence(errno));
    // A mount that is still in use somewhere ends later.
    if (!lazy) awaitEnd(process);
    return 0;
  }

  private String sentence(int errno) {
    return switch (errno) {
      case Errno.EBUSY ->
          "'%s' is in use; end the programs that 'fuser -vm %s' shows, or use 'forebay umount --lazy %s'"
              .formatted(directory, directory, directory);
      case Errno.EPERM ->
          "'%s' cannot be unmounted by this user; do it as root, or as the user who mounted it"
              .formatted(directory);
      default -> "'%s' cannot be unmounted: error %d".formatted(directory, errno);
    };
  }

  /**
   * The process that serves only this mount; 0 if it does not answer at once, or does other work
   * too.
   */
  private static long processOf(Path point) {
    try {
      return Long.parseLong(MountAttribute.of(point, PROCESS));
    } catch (NumberFormatException e) {
      return 0;
    }
  }

  private void awaitEnd(long process) {
    Optional<ProcessHandle> serving = process == 0 ? Optional.empty() : ProcessHandle.of(process);
    if (serving.isEmpty()) return;
    try {
      serving.get().onExit().get(END_MAX.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException e) {
      throw new CommandFailed(
          "'%s' is unmounted, but process %d has not ended: what was written last may not be kept yet"
              .formatted(directory, process),
          e);
    }
  }
}
