// SPDX-License-Identifier: Apache-2.0

package io.forebay.mount.node;

import io.forebay.base.MonotonicClock;
import io.forebay.client.ForebayUri;
import io.forebay.mount.fuse.Mounts;
import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings the mounts below one directory to what is wanted:
 *
 * <ol>
 *   <li>What is wanted and not there is mounted. A failure is tried again after a while.
 *   <li>What is there and not wanted is unmounted. A mount that programs use is tried again; after
 *       a while it is detached, and those programs keep their open files.
 *   <li>A mount whose process died is detached and mounted again.
 * </ol>
 *
 * The table of the kernel is the only memory: an object that is made later goes on with the mounts
 * that it finds. Called by one thread; the work happens in others.
 */
public final class NodeMounts implements AutoCloseable {
  /** Users pass through directories of mounts, and change nothing there, whatever the umask. */
  public static final FileAttribute<?> DIRECTORY =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x"));

  private static final Logger LOG = LoggerFactory.getLogger(NodeMounts.class);

  /** How many mounts and unmounts may be in progress. */
  private static final int AT_ONCE_MAX = 4;

  private static final long AGAIN_NANOS = TimeUnit.SECONDS.toNanos(2);

  /** How long programs may use a mount that is not wanted any more. */
  private static final long BUSY_NANOS_MAX = TimeUnit.SECONDS.toNanos(20);

  /** What is in progress in a directory, or has failed there. */
  private static final class Work {
    private @Nullable CompletableFuture<String> running;
    private String failure = "";
    private long againNanos;
    private long unwantedNanos;
    private boolean unwanted;
  }

  private final Path root;
  private final MountPrograms programs;
  private final MonotonicClock clock;
  private final ExecutorService threads =
      Executors.newFixedThreadPool(
          AT_ONCE_MAX, Thread.ofPlatform().daemon().name("mounts-", 1).factory());
  private final Map<Path, Work> work = new HashMap<>();

  /**
   * Keeps the mounts below a directory.
   *
   * @param root the directory; mounts elsewhere are left alone
   */
  public NodeMounts(Path root, MountPrograms programs, MonotonicClock clock) {
    this.root = Mounts.directory(root);
    this.programs = programs;
    this.clock = clock;
  }

  /** The directory of all mounts, without symbolic links: standings name places below it. */
  Path root() {
    return root;
  }

  /** Starts what is missing; returns how all mounts stand, by directory. */
  public List<MountStanding> keep(Collection<WantedMount> wanted) throws IOException {
    Map<Path, WantedMount> missing = new TreeMap<>();
    for (WantedMount each : wanted) missing.put(placeOf(each), each);
    List<MountStanding> standings = new ArrayList<>();
    for (Mounts.Mount mount : Mounts.below(root)) {
      WantedMount here = missing.get(mount.directory());
      boolean fits = here != null && isSame(mount.source(), here.source());
      boolean alive = fits && Mounts.isServed(mount.directory());
      if (fits && alive) {
        missing.remove(mount.directory());
        standings.add(mounted(mount.directory()));
      } else {
        standings.add(unmount(mount.directory(), fits));
        missing.remove(mount.directory());
      }
    }
    for (Map.Entry<Path, WantedMount> each : missing.entrySet()) {
      standings.add(mount(each.getKey(), each.getValue()));
    }
    work.keySet().removeIf(place -> isForgotten(place, standings));
    addUnfinished(standings);
    return standings;
  }

  /** A mount is gone when its directory is, which is a moment after the kernel has dropped it. */
  private void addUnfinished(List<MountStanding> standings) {
    Set<Path> listed = new HashSet<>();
    for (MountStanding each : standings) listed.add(each.directory());
    for (Map.Entry<Path, Work> each : work.entrySet()) {
      if (!each.getValue().unwanted || listed.contains(each.getKey())) continue;
      standings.add(new MountStanding(each.getKey(), MountStanding.State.GOING, ""));
    }
  }

  /** The kernel's table has an address in its usual form. */
  private static boolean isSame(String mounted, String wanted) {
    return mounted.equals(wanted) || mounted.equals(ForebayUri.parse(wanted).toString());
  }

  private Path placeOf(WantedMount wanted) {
    Path place = wanted.directory().toAbsolutePath().normalize();
    Path given = place.startsWith(root) ? place : root.resolve(root.relativize(place)).normalize();
    if (!given.startsWith(root) || given.equals(root)) {
      throw new IllegalArgumentException("'" + place + "' is not below '" + root + "'");
    }
    return given;
  }

  private MountStanding mounted(Path place) {
    work.remove(place);
    return new MountStanding(place, MountStanding.State.MOUNTED, "");
  }

  private MountStanding mount(Path place, WantedMount wanted) {
    Work now = work.computeIfAbsent(place, none -> new Work());
    now.unwanted = false;
    settle(now);
    if (isDue(now)) {
      now.running =
          run(
              () -> {
                mountAt(place, wanted);
                LOG.info("mounted {} at {}", wanted.source(), place);
              });
    }
    return new MountStanding(place, MountStanding.State.COMING, now.failure);
  }

  /** A failure leaves no directory: the job may end before a mount succeeds. */
  private void mountAt(Path place, WantedMount wanted) throws IOException {
    Files.createDirectories(place, DIRECTORY);
    try {
      programs.mount(new WantedMount(wanted.source(), place, wanted.options()));
    } catch (IOException | RuntimeException e) {
      try {
        removeEmpty(place);
      } catch (IOException busy) {
        e.addSuppressed(busy);
      }
      throw e;
    }
  }

  private MountStanding unmount(Path place, boolean dead) {
    Work now = work.computeIfAbsent(place, none -> new Work());
    if (!now.unwanted) now.unwantedNanos = clock.nanos();
    now.unwanted = true;
    settle(now);
    if (isDue(now)) {
      boolean lazy = dead || clock.nanos() - now.unwantedNanos > BUSY_NANOS_MAX;
      now.running =
          run(
              () -> {
                programs.unmount(place, lazy);
                removeEmpty(place);
                LOG.info("unmounted {}", place);
              });
    }
    return new MountStanding(place, MountStanding.State.GOING, now.failure);
  }

  private boolean isDue(Work now) {
    return now.running == null && clock.nanos() - now.againNanos >= 0;
  }

  private interface Step {
    void run() throws IOException;
  }

  /** Gives an empty text, or why it failed. */
  private CompletableFuture<String> run(Step step) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            step.run();
            return "";
          } catch (IOException | RuntimeException e) {
            return String.valueOf(e.getMessage());
          }
        },
        threads);
  }

  private void settle(Work now) {
    CompletableFuture<String> running = now.running;
    if (running == null || !running.isDone()) return;
    String failure = running.join();
    if (!failure.isEmpty() && !failure.equals(now.failure)) LOG.warn("{}", failure);
    now.running = null;
    now.failure = failure;
    now.againNanos = clock.nanos() + (failure.isEmpty() ? 0 : AGAIN_NANOS);
  }

  /** Whether nothing is to be remembered of a directory: it is neither mounted nor wanted. */
  private boolean isForgotten(Path place, List<MountStanding> standings) {
    Work now = work.get(place);
    boolean running = now != null && now.running != null && !now.running.isDone();
    return !running && standings.stream().noneMatch(each -> each.directory().equals(place));
  }

  /** Removes the directory of a mount, and those above it that only led there. */
  private void removeEmpty(Path place) throws IOException {
    for (Path each = place; !each.equals(root) && each.startsWith(root); ) {
      try {
        Files.deleteIfExists(each);
      } catch (DirectoryNotEmptyException | NoSuchFileException e) {
        return;
      }
      Path above = each.getParent();
      if (above == null) return;
      each = above;
    }
  }

  /** Starts nothing more; what is mounted stays. */
  @Override
  public void close() {
    threads.shutdown();
  }
}
