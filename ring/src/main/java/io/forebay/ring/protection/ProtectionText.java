// SPDX-License-Identifier: Apache-2.0

package io.forebay.ring.protection;

import io.forebay.base.ByteSize;
import io.forebay.base.TimeText;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Protection policies as text: words separated by commas. */
final class ProtectionText {
  private static final String WORDS =
      "write one or more of window=10x/24h (or window=2TiB/24h), file-size=1TiB, files=1000000;"
          + " then log, error or both";

  /** DataWarp's: ten times the capacity within a day. */
  private static final String WINDOW_AMOUNT = "10x";

  private static final String WINDOW_TIME = "24h";

  private static final Pattern TIMES = Pattern.compile("(\\d{1,9})[xX]");
  private static final Pattern COUNT = Pattern.compile("\\d{1,18}");

  private final String text;
  private final Set<String> seen = new HashSet<>();
  private ProtectionPolicy.Window window = ProtectionPolicy.Window.NONE;
  private long fileBytesMax;
  private long filesMax;
  private boolean logs;
  private boolean refuses;

  private ProtectionText(String text) {
    this.text = text;
  }

  static ProtectionPolicy parse(String text) {
    ProtectionText policy = new ProtectionText(text);
    for (String word : text.split(",", -1)) policy.take(word.strip());
    boolean both = !policy.logs && !policy.refuses;
    ProtectionPolicy parsed =
        new ProtectionPolicy(
            policy.window,
            policy.fileBytesMax,
            policy.filesMax,
            policy.logs || both,
            policy.refuses || both);
    if (parsed.isNone()) throw policy.wrong("it limits nothing");
    return parsed;
  }

  private void take(String word) {
    int equals = word.indexOf('=');
    String key = (equals < 0 ? word : word.substring(0, equals)).strip().toLowerCase(Locale.ROOT);
    String value = equals < 0 ? "" : word.substring(equals + 1).strip();
    if (!seen.add(key)) throw wrong("'" + key + "' stands twice");
    switch (key) {
      case "window" -> window = window(equals < 0 ? WINDOW_AMOUNT : value);
      case "file-size" -> fileBytesMax = bytes(value);
      case "files" -> filesMax = count(value);
      case "log" -> logs = alone(equals, word);
      case "error" -> refuses = alone(equals, word);
      default -> throw wrong("'" + word + "' is not known");
    }
  }

  private boolean alone(int equals, String word) {
    if (equals >= 0) throw wrong("'" + word + "' is not known");
    return true;
  }

  private ProtectionPolicy.Window window(String value) {
    int slash = value.indexOf('/');
    String amount = (slash < 0 ? value : value.substring(0, slash)).strip();
    String time = slash < 0 ? WINDOW_TIME : value.substring(slash + 1).strip();
    Matcher times = TIMES.matcher(amount);
    boolean multiple = times.matches();
    try {
      long millis = TimeText.millis(time);
      int factor = multiple ? Integer.parseInt(times.group(1)) : 0;
      if (multiple && factor == 0) throw wrong("0x the capacity allows nothing");
      return new ProtectionPolicy.Window(factor, multiple ? 0 : bytes(amount), millis);
    } catch (IllegalArgumentException e) {
      throw isWhole(e) ? e : wrong(String.valueOf(e.getMessage()));
    }
  }

  private long bytes(String value) {
    try {
      long bytes = ByteSize.parse(value).bytes();
      if (bytes == 0) throw wrong("a limit of 0 bytes allows nothing");
      return bytes;
    } catch (IllegalArgumentException e) {
      throw isWhole(e) ? e : wrong(String.valueOf(e.getMessage()));
    }
  }

  private long count(String value) {
    if (!COUNT.matcher(value).matches()) throw wrong("'" + value + "' is no number of files");
    long count = Long.parseLong(value);
    if (count == 0) throw wrong("a limit of 0 files allows nothing");
    return count;
  }

  /** Whether the sentence names the policy already. */
  private boolean isWhole(IllegalArgumentException e) {
    return String.valueOf(e.getMessage()).endsWith(WORDS);
  }

  private IllegalArgumentException wrong(String why) {
    return new IllegalArgumentException(
        "'%s' is not a write protection: %s; %s".formatted(text, why, WORDS));
  }

  /** The shortest binary size that is exact. */
  static String size(long bytes) {
    String prefixes = "KMGTPE";
    long unit = 1;
    int power = 0;
    while (power < prefixes.length() && bytes % (unit * 1024) == 0) {
      unit *= 1024;
      power++;
    }
    return power == 0 ? bytes + "B" : bytes / unit + "" + prefixes.charAt(power - 1) + "iB";
  }
}
