// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.terminal;

import io.forebay.base.ByteSize;
import java.util.ArrayList;
import java.util.List;

/** Short forms of figures and words for narrow tables. */
public final class Brief {
  private static final long SECOND_NANOS = 1_000_000_000L;
  private static final String CUT = "…";

  private Brief() {}

  /** Without the space and the letters that only say bytes, such as {@code 1.5G}. */
  public static String size(long bytes) {
    return ByteSize.format(bytes)
        .replace(" ", "")
        .replace("iB", "")
        .replaceAll("(\\d{3,})\\.\\d", "$1");
  }

  /** Such as {@code 90s}, {@code 12m}, {@code 30h} or {@code 5d}. */
  public static String duration(long nanos) {
    long seconds = nanos / SECOND_NANOS;
    if (seconds < 120) return seconds + "s";
    if (seconds < 2 * 3600) return seconds / 60 + "m";
    if (seconds < 48 * 3600) return seconds / 3600 + "h";
    return seconds / 86_400 + "d";
  }

  /** Such as {@code 1 file} or {@code 2 files}. */
  public static String counted(long count, String noun) {
    return count + " " + noun + (count == 1 ? "" : "s");
  }

  /** A name of which, if it is too long, the end is shown, since that is what differs. */
  public static String end(String name, int charsMax) {
    return name.length() <= charsMax ? name : CUT + name.substring(name.length() - charsMax + 1);
  }

  /** A sentence of which, if it is too long, the beginning is shown. */
  public static String start(String sentence, int charsMax) {
    return sentence.length() <= charsMax
        ? sentence
        : sentence.substring(0, Math.max(0, charsMax - 1)).stripTrailing() + CUT;
  }

  /** Lines of a text that is cut between words; a word that is longer than a line is left whole. */
  public static List<String> wrap(String text, int charsMax) {
    List<String> lines = new ArrayList<>();
    StringBuilder line = new StringBuilder();
    for (String word : text.strip().split("\\s+", -1)) {
      if (!line.isEmpty() && line.length() + 1 + word.length() > charsMax) {
        lines.add(line.toString());
        line.setLength(0);
      }
      if (!line.isEmpty()) line.append(' ');
      line.append(word);
    }
    lines.add(line.toString());
    return lines;
  }
}
