package io.forebay.cli.files;

import io.forebay.client.DirectoryEntry;
import io.forebay.client.FileStat;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** What is known of files, as people and programs read it. */
final class FileText {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss", Locale.ROOT);

  private FileText() {}

  /** A name with a slash behind it if it is a directory's, an at sign if a symbolic link's. */
  static String shown(DirectoryEntry entry) {
    return switch (entry.stat().kind()) {
      case FILE -> entry.name();
      case DIRECTORY -> entry.name() + "/";
      case SYMLINK -> entry.name() + "@";
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
        });
    for (int shift = 6; shift >= 0; shift -= 3) {
      int bits = stat.mode() >> shift;
      text.append((bits & 4) != 0 ? 'r' : '-');
      text.append((bits & 2) != 0 ? 'w' : '-');
      text.append((bits & 1) != 0 ? 'x' : '-');
    }
    return text.toString();
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
