// SPDX-License-Identifier: Apache-2.0

package io.forebay.base;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The place of a small file in a pack of the backing store. It serves as the content tag of the
 * file, so that a reader needs nothing else.
 *
 * @param pack the name of the pack, among the store's packs
 * @param entry the index of the file in the pack, from 0
 * @param offset where the file's bytes begin in the pack
 * @param order the order of naming; of two entries with the same name, the later counts
 */
public record PackPlace(String pack, int entry, long offset, long lengthBytes, long order) {
  private static final String PREFIX = "pack:";
  private static final Pattern TEXT =
      Pattern.compile("pack:([^:]+):(\\d{1,9}):(\\d{1,18}):(\\d{1,18}):(\\d{1,18})");

  /** Whether it is the content tag of a file in a pack. */
  public static boolean isOne(String contentTag) {
    return contentTag.startsWith(PREFIX);
  }

  /** The place that a content tag names, or null if it is another store's word. */
  public static @Nullable PackPlace parse(String contentTag) {
    if (!isOne(contentTag)) return null;
    Matcher matcher = TEXT.matcher(contentTag);
    if (!matcher.matches()) return null;
    return new PackPlace(
        matcher.group(1),
        Integer.parseInt(matcher.group(2)),
        Long.parseLong(matcher.group(3)),
        Long.parseLong(matcher.group(4)),
        Long.parseLong(matcher.group(5)));
  }

  /** Whether two tags mean the same content; names that it got since do not matter. */
  public static boolean sameContent(String oneTag, String otherTag) {
    if (oneTag.equals(otherTag)) return true;
    PackPlace one = parse(oneTag);
    PackPlace other = parse(otherTag);
    return one != null && other != null && one.pack.equals(other.pack) && one.entry == other.entry;
  }

  /** The content tag. */
  @Override
  public String toString() {
    return PREFIX + pack + ":" + entry + ":" + offset + ":" + lengthBytes + ":" + order;
  }
}
