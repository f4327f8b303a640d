// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.settings;

import io.forebay.backing.location.BackingRoots;
import io.forebay.base.ByteSize;
import io.forebay.server.proof.MungeOption;
import io.forebay.wire.Address;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The type of a key's values.
 *
 * @param label the placeholder for a value in help, such as {@code SIZE}
 * @param allowed the allowed values as text: {@code a whole number from 1 to 64}
 */
public record Kind<T>(String label, String allowed, Reading<T> reading) {
  /** Reads a value. */
  public interface Reading<T> {
    /**
     * The value of a text without space around it.
     *
     * @throws IllegalArgumentException if it is not allowed; the key's error lists the allowed
     *     values
     */
    T read(String text);
  }

  private static final String PATH_LABEL = "DIR";
  private static final String FILE_LABEL = "FILE";
  private static final int ADDRESSES_MAX = 16;
  private static final int PATHS_MAX = 16;
  private static final int USERS_MAX = 64;
  private static final Pattern DURATION = Pattern.compile("(\\d{1,9})\\s*(ms|s|m|h|d)");

  /** Whether a value is the name of one directory or file. */
  public boolean isPath() {
    return label.equals(PATH_LABEL) || label.equals(FILE_LABEL);
  }

  static Kind<Integer> number(int min, int max) {
    return new Kind<>(
        "N",
        "a whole number from " + min + " to " + max,
        text -> {
          int value = Integer.parseInt(text);
          require(value >= min && value <= max);
          return value;
        });
  }

  /** A size of at least {@code min} and at most {@code max}, or 0 where that means none. */
  static Kind<Long> size(long min, long max, boolean orNone) {
    String range = "from " + ByteSize.format(min) + " to " + ByteSize.format(max);
    return new Kind<>(
        "SIZE",
        "a size such as 64MiB, " + range + (orNone ? ", or 0 for none" : ""),
        text -> {
          long bytes = ByteSize.parse(text).bytes();
          require((orNone && bytes == 0) || (bytes >= min && bytes <= max));
          return bytes;
        });
  }

  static Kind<Duration> duration(Duration min, Duration max) {
    return new Kind<>(
        "TIME",
        "a time such as 500ms, 10s or 2m, from " + written(min) + " to " + written(max),
        text -> {
          Matcher matcher = DURATION.matcher(text);
          require(matcher.matches());
          long amount = Long.parseLong(matcher.group(1));
          Duration value =
              switch (matcher.group(2)) {
                case "ms" -> Duration.ofMillis(amount);
                case "s" -> Duration.ofSeconds(amount);
                case "h" -> Duration.ofHours(amount);
                case "d" -> Duration.ofDays(amount);
                default -> Duration.ofMinutes(amount);
              };
          require(value.compareTo(min) >= 0 && value.compareTo(max) <= 0);
          return value;
        });
  }

  private static String written(Duration duration) {
    return duration.toMillis() % 1000 == 0
        ? duration.toSeconds() + "s"
        : duration.toMillis() + "ms";
  }

  static Kind<Address.Inet> address() {
    return new Kind<>(
        "HOST:PORT",
        "an address such as 127.0.0.1:7070; port 0 is any free one",
        text -> {
          require(Address.parse(text) instanceof Address.Inet);
          return (Address.Inet) Address.parse(text);
        });
  }

  /** An address, or none. */
  static Kind<Optional<Address.Inet>> addressOrNone() {
    Kind<Address.Inet> address = address();
    return new Kind<>(
        "HOST:PORT|none",
        "none, or " + address.allowed,
        text -> text.equals("none") ? Optional.empty() : Optional.of(address.reading.read(text)));
  }

  /** Users by their numbers. */
  static Kind<Set<Integer>> users() {
    return new Kind<>(
        "USER[,…]",
        "one to " + USERS_MAX + " user numbers, with commas between them",
        text -> {
          Set<Integer> users = new TreeSet<>();
          for (String each : text.split(",", -1)) {
            users.add(Integer.parseUnsignedInt(each.strip()));
          }
          require(users.size() <= USERS_MAX);
          return Set.copyOf(users);
        });
  }

  static Kind<List<Address>> addresses() {
    return new Kind<>(
        "HOST:PORT[,…]",
        "one to " + ADDRESSES_MAX + " addresses such as 127.0.0.1:7070, with commas between them",
        text -> {
          List<Address> addresses = new ArrayList<>();
          for (String each : text.split(",", -1)) addresses.add(Address.parse(each.strip()));
          require(addresses.size() <= ADDRESSES_MAX);
          return List.copyOf(addresses);
        });
  }

  static Kind<Path> path() {
    return new Kind<>(
        PATH_LABEL,
        "a directory",
        text -> {
          try {
            return Path.of(text).toAbsolutePath().normalize();
          } catch (InvalidPathException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
          }
        });
  }

  static Kind<Path> file() {
    return new Kind<>(FILE_LABEL, "a file", path().reading);
  }

  static Kind<List<Path>> paths() {
    return new Kind<>(
        "DIR[,…]",
        "one to " + PATHS_MAX + " directories by their whole paths, with commas between them",
        text -> {
          List<Path> paths = new ArrayList<>();
          for (String each : text.split(",", -1)) {
            require(each.strip().startsWith("/"));
            paths.add(path().reading.read(each.strip()));
          }
          require(paths.size() <= PATHS_MAX);
          return List.copyOf(paths);
        });
  }

  static Kind<BackingRoots> backingRoots() {
    return new Kind<>(
        "STORE[,…]",
        "one to "
            + BackingRoots.ROOTS_MAX
            + " directories by their whole paths, or addresses such as s3://bucket/dir?profile=p,"
            + " with commas between them",
        text -> {
          List<String> addresses = new ArrayList<>();
          for (String each : text.split(",", -1)) addresses.add(each.strip());
          return BackingRoots.of(addresses);
        });
  }

  static Kind<String> name(int charsMax) {
    Pattern pattern = Pattern.compile("[\\p{Graph}&&[^,]]{1," + charsMax + "}");
    return new Kind<>(
        "NAME",
        "1 to " + charsMax + " characters without spaces and commas",
        text -> {
          require(pattern.matcher(text).matches());
          return text;
        });
  }

  /** A name as instances and pools have them. */
  static Kind<String> identifier(int charsMax) {
    Pattern pattern = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0," + (charsMax - 1) + "}");
    return new Kind<>(
        "NAME",
        "1 to " + charsMax + " letters, digits, dots, dashes and underscores",
        text -> {
          require(pattern.matcher(text).matches());
          return text;
        });
  }

  static Kind<String> word(String... words) {
    List<String> known = List.of(words);
    return new Kind<>(
        String.join("|", known),
        "one of " + String.join(", ", known),
        text -> {
          require(known.contains(text.toLowerCase(Locale.ROOT)));
          return text.toLowerCase(Locale.ROOT);
        });
  }

  static Kind<MungeOption> munge() {
    return new Kind<>(
        "on|off|SOCKET", "on, off, or the whole path of munged's socket", MungeOption::parse);
  }

  static Kind<Boolean> flag() {
    return new Kind<>(
        "BOOLEAN",
        "true or false",
        text -> {
          require(text.equals("true") || text.equals("false"));
          return text.equals("true");
        });
  }

  private static void require(boolean holds) {
    if (!holds) throw new IllegalArgumentException("not allowed");
  }
}
