// SPDX-License-Identifier: Apache-2.0

package io.forebay.backing.held;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Lets a thread access files as another user, so that the kernel, or the server of a network file
 * system, checks that user's rights, and new files belong to that user. Linux. A thread that does
 * this must do nothing else meanwhile: threads that it starts would have the same user. So it is
 * for short accesses to files, on platform threads.
 *
 * <ol>
 *   <li>The thread takes the groups, the group and the user. Only these affect files; the process
 *       keeps its user in all other respects. The kernel withdraws the privileges of root over
 *       files together with the user.
 *   <li>It asks the kernel which ones it has: the calls do not report failures.
 *   <li>It accesses files.
 *   <li>It takes its own ones back, and asks the kernel again.
 * </ol>
 */
public final class FileSystemUser {
  /** Accesses to files. */
  public interface Work<T> {
    T run() throws IOException;
  }

  private static final int ROOT = 0;

  /** The kernel takes this number for a question. */
  private static final int ASK = -1;

  /** How many groups a thread may have on Linux. */
  private static final int GROUPS_MAX = 65536;

  private static final Path STATUS = Path.of("/proc/self/status");
  private static final String CAPABILITIES = "CapEff:";

  // Bits of Linux capabilities.
  private static final long CHOWN = 1L << 0;
  private static final long DAC_OVERRIDE = 1L << 1;
  private static final long DAC_READ_SEARCH = 1L << 2;
  private static final long FOWNER = 1L << 3;
  private static final long SETGID = 1L << 6;
  private static final long SETUID = 1L << 7;

  /** What root loses over files with its user. Other users would keep it, so they must not act. */
  private static final long OVER_FILES = CHOWN | DAC_OVERRIDE | DAC_READ_SEARCH | FOWNER;

  /** The user that the thread acts as at present. */
  private static final ThreadLocal<@Nullable FileSystemUser> PRESENT = new ThreadLocal<>();

  /** The process's own ones; looked up when they are first asked for. */
  private static final class Own {
    static final int USER = FileUserCalls.user(ASK);
    static final int GROUP = FileUserCalls.group(ASK);
    static final int[] GROUPS = FileUserCalls.groups(GROUPS_MAX);
    static final boolean SWITCHES = switches();

    private Own() {}

    private static boolean switches() {
      if (!FileUserCalls.isKnownMachine()) return false;
      try {
        for (String line : Files.readAllLines(STATUS)) {
          if (line.startsWith(CAPABILITIES)) {
            return suffices(
                USER, Long.parseUnsignedLong(line.substring(CAPABILITIES.length()).strip(), 16));
          }
        }
        return false;
      } catch (IOException e) {
        // A system without it has no such calls either.
        return false;
      }
    }
  }

  private final int user;
  private final int[] groups;

  private FileSystemUser(int user, int[] groups) {
    this.user = user;
    this.groups = groups;
  }

  /** Whether a process with these capabilities can act as other users, with no right left over. */
  static boolean suffices(int user, long capabilities) {
    long both = SETUID | SETGID;
    if ((capabilities & both) != both) return false;
    return user == ROOT || (capabilities & OVER_FILES) == 0;
  }

  /** Whether this process can act as other users. */
  public static boolean isAble() {
    return Own.SWITCHES;
  }

  /** The user that the kernel sees in accesses to files by this process. */
  public static int own() {
    return Own.USER;
  }

  /**
   * Runs accesses to files as a user. Within such accesses it may be called for the same user.
   *
   * @param groups the first one is that of new files; if there are none, the user's number is
   * @throws IOException also if the kernel does not let this thread act as that user
   */
  public static <T> T as(int user, List<Integer> groups, Work<T> work) throws IOException {
    int[] numbers = groups.stream().mapToInt(Integer::intValue).toArray();
    FileSystemUser wanted = new FileSystemUser(user, numbers);
    FileSystemUser present = PRESENT.get();
    if (present != null) {
      if (wanted.isSame(present)) return work.run();
      throw new IllegalStateException(
          "the thread acts as user %d already, not as %d".formatted(present.user, user));
    }
    if (Thread.currentThread().isVirtual()) {
      throw new IllegalStateException("a virtual thread shares its kernel thread with others");
    }
    try {
      wanted.take();
      PRESENT.set(wanted);
      return work.run();
    } finally {
      PRESENT.remove();
      giveBack();
    }
  }

  private boolean isSame(FileSystemUser other) {
    return user == other.user && Arrays.equals(groups, other.groups);
  }

  private int group() {
    return groups.length == 0 ? user : groups[0];
  }

  private void take() throws IOException {
    boolean named = user != ASK && group() != ASK;
    if (!named || !isAble() || !take(user, group(), groups)) {
      throw new IOException(
          "the kernel does not let this server act as user " + Integer.toUnsignedString(user));
    }
  }

  private static void giveBack() {
    if (take(Own.USER, Own.GROUP, Own.GROUPS)) return;
    throw new IllegalStateException("the thread cannot act as the server's user again");
  }

  /** Whether the thread then has them. */
  private static boolean take(int user, int group, int[] groups) {
    // The rights to set groups and users are not among those that change with the user.
    boolean grouped = FileUserCalls.setGroups(groups);
    int _ = FileUserCalls.group(group);
    int _ = FileUserCalls.user(user);
    return grouped && FileUserCalls.group(ASK) == group && FileUserCalls.user(ASK) == user;
  }
}
