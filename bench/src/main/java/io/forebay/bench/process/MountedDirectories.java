// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.process;

import io.forebay.bench.BenchmarkImpossible;
import io.forebay.mount.fuse.FuseSession;
import io.forebay.mount.fuse.library.FuseUnavailable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Directories through file systems that one other process serves: a program must not wait for a
 * mount of its own process. Closing this unmounts them.
 */
public final class MountedDirectories implements AutoCloseable {
  /** What the kernel caches of files; see {@code forebay mount --cache}. */
  public enum Caching {
    NONE,
    AUTO,
    WRITEBACK;

    /** As in options and in the names of results. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** The contents of a directory. */
  enum Kind {
    INSTANCE,
    /** The same, and it is counted what programs do. */
    PROFILED,
    PASS_THROUGH,
    SLOW
  }

  /**
   * A directory that is wanted.
   *
   * @param source the address of an instance, or another directory
   * @param node the host name that the mount reports to the instance; else empty
   */
  public record Mounting(Kind kind, String source, String node, Caching caching) {
    static final int WORDS = 5;

    /** The name of the directory with profiles. */
    public static final String PROFILES = "profiles";

    /** An instance, as if on a host of that name. */
    public static Mounting instance(String uri, String node, Caching caching) {
      return new Mounting(Kind.INSTANCE, uri, node, caching);
    }

    /** The same with a profile, in the directory {@link #PROFILES} beside the mount points. */
    public static Mounting profiled(String uri, Caching caching) {
      return new Mounting(Kind.PROFILED, uri, "", caching);
    }

    /** Another directory, through the same binding and nothing else. */
    public static Mounting passThrough(Path source, Caching caching) {
      return new Mounting(Kind.PASS_THROUGH, source.toString(), "", caching);
    }

    /** Another directory, where each request takes the time of the slow profile. */
    public static Mounting slow(Path source, Caching caching) {
      return new Mounting(Kind.SLOW, source.toString(), "", caching);
    }

    private List<String> words(Path point) {
      return List.of(kind.name(), source, node, caching.name(), point.toString());
    }

    /** Parses {@link #words} from an index on; the last word is the mount point. */
    static Mounting of(String[] words, int from) {
      return new Mounting(
          Kind.valueOf(words[from]),
          words[from + 1],
          words[from + 2],
          Caching.valueOf(words[from + 3]));
    }
  }

  private final Child child;
  private final List<Path> directories;

  private MountedDirectories(Child child, List<Path> directories) {
    this.child = child;
    this.directories = directories;
  }

  /** Throws if this machine cannot mount. */
  public static void requirePossible() throws BenchmarkImpossible {
    try {
      FuseSession.check();
    } catch (FuseUnavailable none) {
      throw new BenchmarkImpossible(String.valueOf(none.getMessage()));
    }
  }

  /**
   * Mounts all of them.
   *
   * @param parent an empty directory for the mount points
   */
  public static MountedDirectories mount(List<Mounting> wanted, Path parent) throws IOException {
    List<Path> directories = new ArrayList<>();
    List<String> words = new ArrayList<>();
    for (Mounting each : wanted) {
      Path point = Files.createDirectory(parent.resolve("mount-" + directories.size()));
      directories.add(point);
      words.addAll(each.words(point));
    }
    return new MountedDirectories(Child.start(MountChild.class, parent, words), directories);
  }

  /** The directories, in the order in which they were wanted. */
  public List<Path> directories() {
    return directories;
  }

  @Override
  public void close() throws IOException {
    child.close();
  }
}
