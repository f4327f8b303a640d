// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.files;

import io.forebay.base.ByteSize;
import io.forebay.client.file.DirectoryEntry;
import io.forebay.client.file.FileStat;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** The attributes of files, as people and programs read them. */
final class FileText {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss", Locale.ROOT);

  private FileText() {}

  /** A name with a sign behind it that tells its kind, as ls -F has them. */
  static String shown(DirectoryEntry entry) {
    return switch (entry.stat().kind()) {
      case FILE -> entry.name();
      case DIRECTORY -> entry.name() + "/";
      case SYMLINK -> entry.name() + "@";
      case FIFO -> entry.name() + "|";
      case SOCKET -> entry.name() + "=";
      case CHARACTER_DEVICE, BLOCK_DEVICE -> entry.name();
    };
  }

  /** Such as {@code -rw-r--r--}. */
  static String mode(FileStat stat) {
    StringBuilder text = new StringBuilder();
    text.append(
        switch (stat.kind()) {
          case FILE -> '-';
          case DIRECTORY -> 'd';
          case SYMLINK -> 'l';
          case FIFO -> 'p';
          case SOCKET -> 's';
          case CHARACTER_DEVICE -> 'c';
          case BLOCK_DEVICE -> 'b';
        });
    for (int shift = 6; shift >= 0; shift -= 3) {
      int bits = stat.mode() >> shift;
      text.append((bits & 4) != 0 ? 'r' : '-');
      text.append((bits & 2) != 0 ? 'w' : '-');
      text.append((bits & 1) != 0 ? 'x' : '-');
    }
    return text.toString();
  }

  /** How long it is; of a device the two parts of its number. */
  static String size(FileStat stat) {
    return isDevice(stat)
        ? stat.deviceMajor() + ", " + stat.deviceMinor()
        : ByteSize.format(stat.sizeBytes());
  }

  private static boolean isDevice(FileStat stat) {
    return stat.kind() == FileStat.Kind.CHARACTER_DEVICE
        || stat.kind() == FileStat.Kind.BLOCK_DEVICE;
  }

  /** In the time zone of this machine. */
  static String time(Instant instant) {
    return TIME.format(instant.atZone(ZoneId.systemDefault()));
  }

  static Map<String, Object> json(String name, FileStat stat) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("name", name);
    json.put("kind", stat.kind().name().toLowerCase(Locale.ROOT));
    json.put("sizeBytes", stat.sizeBytes());
    json.put("allocatedBytes", stat.allocatedBytes());
    if (isDevice(stat)) {
      json.put("deviceMajor", stat.deviceMajor());
      json.put("deviceMinor", stat.deviceMinor());
    }
    json.put("mode", Integer.toOctalString(stat.mode()));
    json.put("user", stat.user());
    json.put("group", stat.group());
    json.put("links", stat.links());
    json.put("modifyTime", stat.modifyTime().toString());
    json.put("changeTime", stat.changeTime().toString());
    json.put("accessTime", stat.accessTime().toString());
    json.put("number", stat.number());
    json.put("version", stat.version());
    return json;
  }
}
