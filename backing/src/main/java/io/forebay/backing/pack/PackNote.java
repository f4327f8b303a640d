// SPDX-License-Identifier: Apache-2.0

package io.forebay.backing.pack;

import io.forebay.backing.BackingException;
import io.forebay.backing.BackingFailure;
import io.forebay.backing.BackingPath;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * The fate of a file in a pack: it has another name, or is dead. Of all notes about one file the
 * one with the highest order counts, regardless of arrival, so that a note which is written twice
 * or late does no harm.
 *
 * @param path from the store's root, without a leading slash; empty if the file is gone
 */
public record PackNote(long order, String pack, int entry, String path) {
  private static final String HEADER = "forebay-notes 1";
  private static final String CHECKSUM = "crc32c ";
  private static final String GONE = "-";

  public boolean isGone() {
    return path.isEmpty();
  }

  /**
   * Notes as text: a header line, one line {@code order pack entry path} for each, with the path as
   * in a URL or {@code -} if the file is gone, and a line with a checksum.
   */
  static byte[] write(List<PackNote> notes) {
    StringBuilder text = new StringBuilder(HEADER).append('\n');
    for (PackNote note : notes) {
      text.append(note.order).append(' ').append(note.pack).append(' ').append(note.entry);
      text.append(' ').append(note.isGone() ? GONE : "/" + encode(note.path)).append('\n');
    }
    String checksum = checksum(text.toString());
    text.append(CHECKSUM).append(checksum).append('\n');
    return text.toString().getBytes(StandardCharsets.UTF_8);
  }

  static List<PackNote> parse(byte[] bytes, BackingPath path, String store)
      throws BackingException {
    String text = new String(bytes, StandardCharsets.UTF_8);
    int end = text.lastIndexOf(CHECKSUM);
    boolean sound =
        text.startsWith(HEADER + "\n")
            && end > 0
            && text.substring(end).equals(CHECKSUM + checksum(text.substring(0, end)) + "\n");
    if (!sound) throw damaged(path, store);
    List<PackNote> notes = new ArrayList<>();
    try {
      for (String line : text.substring(HEADER.length() + 1, end).split("\n", -1)) {
        if (line.isEmpty()) continue;
        String[] words = line.split(" ", -1);
        String name = words[3].equals(GONE) ? "" : decode(words[3].substring(1));
        notes.add(
            new PackNote(Long.parseLong(words[0]), words[1], Integer.parseInt(words[2]), name));
      }
    } catch (NumberFormatException | IndexOutOfBoundsException e) {
      throw damaged(path, store);
    }
    return notes;
  }

  private static String checksum(String text) {
    CRC32C crc = new CRC32C();
    crc.update(text.getBytes(StandardCharsets.UTF_8));
    return "%08x".formatted(crc.getValue());
  }

  private static String encode(String path) {
    return URLEncoder.encode(path, StandardCharsets.UTF_8);
  }

  private static String decode(String text) {
    return URLDecoder.decode(text, StandardCharsets.UTF_8);
  }

  private static BackingException damaged(BackingPath path, String store) {
    return new BackingException(
        new BackingFailure.WrongKind(
            "'%s' in %s is not a sound list of notes; restore it, or move it away to go on"
                .formatted(path, store)));
  }
}
