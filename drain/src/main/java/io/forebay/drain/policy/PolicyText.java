// SPDX-License-Identifier: Apache-2.0

package io.forebay.drain.policy;

import io.forebay.base.ByteSize;
import io.forebay.base.TimeText;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Policies as text: words separated by commas. */
final class PolicyText {
  private static final String WORDS =
      "write one or more of close, every=30s, fill=60%, end, or request for none of them;"
          + " then rate=200MB/s, priority=0 to 9, verify and pack=1MiB if wanted";

  private static final Pattern PERCENT = Pattern.compile("(\\d{1,3})%?");
  private static final Pattern NUMBER = Pattern.compile("\\d{1,3}");
  private static final String PER_SECOND = "/s";

  private final String text;
  private final Set<String> seen = new HashSet<>();
  private boolean saysWhen;
  private boolean onClose;
  private long everyMillis;
  private int fillPercent;
  private boolean atEnd;
  private long rateBytesPerSecond;
  private int priority = DrainPolicy.PRIORITY_DEFAULT;
  private boolean verify;
  private long packBytes;

  private PolicyText(String text) {
    this.text = text;
  }

  static DrainPolicy parse(String text) {
    PolicyText policy = new PolicyText(text);
    for (String word : text.split(",", -1)) policy.take(word.strip());
    if (!policy.saysWhen) throw policy.wrong("it does not say when");
    try {
      return new DrainPolicy(
          policy.onClose,
          policy.everyMillis,
          policy.fillPercent,
          policy.atEnd,
          policy.rateBytesPerSecond,
          policy.priority,
          policy.verify,
          policy.packBytes);
    } catch (IllegalArgumentException e) {
      throw policy.wrong(String.valueOf(e.getMessage()));
    }
  }

  private void take(String word) {
    int equals = word.indexOf('=');
    String key = (equals < 0 ? word : word.substring(0, equals)).strip().toLowerCase(Locale.ROOT);
    String value = equals < 0 ? "" : word.substring(equals + 1).strip();
    if (!seen.add(key)) throw wrong("'" + key + "' stands twice");
    switch (key) {
      case "close" -> onClose = when(equals < 0, word);
      case "end" -> atEnd = when(equals < 0, word);
      case "request" -> when(equals < 0, word);
      case "every" -> {
        when(equals > 0, word);
        everyMillis = millis(value);
      }
      case "fill" -> {
        when(equals > 0, word);
        fillPercent = number(PERCENT, value, word);
        if (fillPercent == 0) throw wrong("a level of 0 % is always reached");
      }
      case "rate" -> rateBytesPerSecond = rate(value);
      case "priority" -> priority = number(NUMBER, value, word);
      case "verify" -> {
        if (equals > 0) throw wrong("'" + word + "' is not known");
        verify = true;
      }
      case "pack" -> packBytes = pack(value);
      case "bundle" -> throw wrong("'bundle' is now 'pack'");
      default -> throw wrong("'" + word + "' is not known");
    }
  }

  /** A word that says when to drain. */
  private boolean when(boolean wellFormed, String word) {
    if (!wellFormed) throw wrong("'" + word + "' is not known");
    saysWhen = true;
    return true;
  }

  private int number(Pattern pattern, String value, String word) {
    Matcher matcher = pattern.matcher(value);
    if (!matcher.matches()) throw wrong("'" + word + "' has no number");
    return Integer.parseInt(value.endsWith("%") ? matcher.group(1) : value);
  }

  private long millis(String value) {
    try {
      return TimeText.millis(value);
    } catch (IllegalArgumentException e) {
      throw wrong(String.valueOf(e.getMessage()));
    }
  }

  private long rate(String value) {
    if (!value.endsWith(PER_SECOND)) throw wrong("'" + value + "' is no rate such as 200MB/s");
    long bytes;
    try {
      bytes = ByteSize.parse(value.substring(0, value.length() - PER_SECOND.length())).bytes();
    } catch (IllegalArgumentException e) {
      throw wrong(String.valueOf(e.getMessage()));
    }
    if (bytes == 0) throw wrong("a rate of 0 drains nothing");
    return bytes;
  }

  private long pack(String value) {
    long bytes;
    try {
      bytes = ByteSize.parse(value).bytes();
    } catch (IllegalArgumentException e) {
      throw wrong(String.valueOf(e.getMessage()));
    }
    if (bytes == 0) throw wrong("no file is shorter than 0 bytes");
    return bytes;
  }

  private IllegalArgumentException wrong(String why) {
    return new IllegalArgumentException(
        "'%s' is not a drain policy: %s; %s".formatted(text, why, WORDS));
  }

  static String print(DrainPolicy policy) {
    List<String> words = new ArrayList<>();
    if (policy.onClose()) words.add("close");
    if (policy.everyMillis() > 0) words.add("every=" + TimeText.of(policy.everyMillis()));
    if (policy.fillPercent() > 0) words.add("fill=" + policy.fillPercent() + "%");
    if (policy.atEnd()) words.add("end");
    if (words.isEmpty()) words.add("request");
    if (policy.rateBytesPerSecond() > 0) {
      words.add("rate=" + size(policy.rateBytesPerSecond()) + PER_SECOND);
    }
    if (policy.priority() != DrainPolicy.PRIORITY_DEFAULT) {
      words.add("priority=" + policy.priority());
    }
    if (policy.verify()) words.add("verify");
    if (policy.packBytes() > 0) words.add("pack=" + size(policy.packBytes()));
    return String.join(",", words);
  }

  /** The shortest that is exact. */
  private static String size(long bytes) {
    String shortest = bytes + "B";
    for (int step : new int[] {1000, 1024}) {
      long unit = step;
      for (char prefix : "KMGTPE".toCharArray()) {
        if (bytes % unit != 0) break;
        String written = bytes / unit + "" + prefix + (step == 1000 ? "B" : "iB");
        if (written.length() < shortest.length()) shortest = written;
        unit *= step;
      }
    }
    return shortest;
  }
}
