// SPDX-License-Identifier: Apache-2.0

package io.forebay.job.cluster;

import io.forebay.job.directive.BufferPath;
import io.forebay.job.service.FileReason;
import io.forebay.job.service.JobFailed;
import io.forebay.job.service.JobService.Direction;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A list that a directive names: a source and a destination in each line, of which one begins with
 * the variable of a buffer. The agent reads it with its own rights, so it checks those of the job's
 * user first.
 */
final class ListFile {
  private static final int BYTES_MAX = 64 << 20;

  /** Bits of a file's mode. */
  private static final int READ = 4;

  private static final int SEARCH = 1;
  private static final int OWNER_SHIFT = 6;
  private static final int GROUP_SHIFT = 3;

  private static final long ROOT = 0;

  /** The lines of a list for one buffer, with a tab between source and destination. */
  record Part(BufferPath.Root root, String persistent, List<String> lines) {}

  private ListFile() {}

  /**
   * Reads a list for a job of a user.
   *
   * @return its lines by buffer, in the order of their variables
   */
  static List<Part> read(Path file, Direction direction, long user, long group) throws JobFailed {
    check(file, user, group);
    Map<String, Part> parts = new TreeMap<>();
    int number = 0;
    for (String line : text(file).split("\n", -1)) {
      number++;
      if (line.isBlank() || line.startsWith("#")) continue;
      String[] words =
          line.indexOf('\t') >= 0 ? line.split("\t+", -1) : line.strip().split(" +", -1);
      if (words.length != 2) {
        throw wrong(file, number, "has no source and destination with a space between them");
      }
      boolean in = direction == Direction.IN;
      BufferPath inside = inside(file, number, words[in ? 1 : 0]);
      String outside = words[in ? 0 : 1];
      if (!outside.startsWith("/")) {
        throw wrong(file, number, "has '" + outside + "', which is no whole path");
      }
      Part part =
          parts.computeIfAbsent(
              inside.variable(),
              none -> new Part(inside.root(), inside.persistent(), new ArrayList<>()));
      part.lines().add(in ? outside + "\t" + inside.path() : inside.path() + "\t" + outside);
    }
    if (parts.isEmpty()) {
      throw new JobFailed("list '%s' is empty; write a source and a destination".formatted(file));
    }
    return List.copyOf(parts.values());
  }

  private static BufferPath inside(Path file, int number, String word) throws JobFailed {
    BufferPath path;
    try {
      path = BufferPath.parse(word);
    } catch (IllegalArgumentException e) {
      throw wrong(file, number, "has '" + word + "', which " + e.getMessage());
    }
    if (path != null) return path;
    throw wrong(
        file, number, "has '" + word + "', which is in no buffer; begin it with $DW_JOB_STRIPED/");
  }

  private static JobFailed wrong(Path file, int number, String what) {
    return new JobFailed("line %d of list '%s' %s".formatted(number, file, what));
  }

  private static String text(Path file) throws JobFailed {
    try (InputStream in = Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS)) {
      byte[] bytes = in.readNBytes(BYTES_MAX + 1);
      if (bytes.length > BYTES_MAX) {
        throw new JobFailed(
            "list '%s' has more than %d bytes; stage a directory".formatted(file, BYTES_MAX));
      }
      return new String(bytes, StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw unreadable(file, e);
    }
  }

  private static JobFailed unreadable(Path file, IOException e) {
    return new JobFailed(
        "list '%s' cannot be read (%s); it must be on the machine of the batch system"
            .formatted(file, FileReason.of(e)),
        e);
  }

  private static void check(Path file, long user, long group) throws JobFailed {
    if (user == ROOT) return;
    try {
      Path real = file.toRealPath();
      for (Path above = real.getParent(); above != null; above = above.getParent()) {
        require(above, SEARCH, user, group);
      }
      require(real, READ, user, group);
    } catch (IOException e) {
      throw unreadable(file, e);
    }
  }

  private static void require(Path path, int bit, long user, long group)
      throws IOException, JobFailed {
    Map<String, Object> attributes = Files.readAttributes(path, "unix:uid,gid,mode");
    int mode = (int) number(attributes, "mode");
    long owner = number(attributes, "uid");
    long owners = number(attributes, "gid");
    int shift = owner == user ? OWNER_SHIFT : owners == group ? GROUP_SHIFT : 0;
    if ((mode >> shift & bit) != 0) return;
    throw new JobFailed(
        "user %d may not read '%s'; give the user the permission".formatted(user, path));
  }

  private static long number(Map<String, Object> attributes, String name) throws IOException {
    if (attributes.get(name) instanceof Number number) return number.longValue();
    throw new IOException("the file system does not tell the " + name + " of a file");
  }
}
