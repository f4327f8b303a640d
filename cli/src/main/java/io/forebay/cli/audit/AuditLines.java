// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.audit;

import io.forebay.cli.terminal.CommandFailed;
import io.forebay.server.audit.AuditLine;
import io.forebay.server.audit.AuditSource;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The lines of several audit logs in the order of their times. One thread. */
final class AuditLines implements Closeable {
  private final List<AuditSource> sources = new ArrayList<>();

  /** The next line of each, as far as it is known. */
  private final List<@Nullable AuditLine> heads = new ArrayList<>();

  private AuditLines() {}

  /** Opens all logs that a path means; a sentence tells why it means none. */
  static AuditLines open(Path given) throws IOException {
    AuditLines lines = new AuditLines();
    try {
      for (Path each : AuditSource.find(given)) {
        lines.sources.add(AuditSource.open(each));
        lines.heads.add(null);
      }
    } catch (AccessDeniedException e) {
      lines.close();
      throw new CommandFailed(
          "'%s' is not for you to read; run this as root, or as the user that runs the server"
              .formatted(e.getFile()),
          e);
    }
    if (!lines.sources.isEmpty()) return lines;
    throw new CommandFailed(
        Files.exists(given)
            ? "'%s' has no audit log; name the directory of a server or manager, or the file that its audit-log names"
                .formatted(given)
            : "'%s' does not exist; name the directory of a server or manager, or its audit log"
                .formatted(given));
  }

  /** The earliest line that was not returned yet; null if there is none at present. */
  @Nullable AuditLine next() throws IOException {
    int earliest = -1;
    AuditLine first = null;
    for (int i = 0; i < sources.size(); i++) {
      AuditLine head = heads.get(i);
      if (head == null) head = sources.get(i).next();
      heads.set(i, head);
      if (head == null || (first != null && !head.time().isBefore(first.time()))) continue;
      earliest = i;
      first = head;
    }
    if (first != null) heads.set(earliest, null);
    return first;
  }

  /** Lines whose end is missing, once there are no others. */
  List<AuditLine> rest() {
    List<AuditLine> torn = new ArrayList<>();
    for (AuditSource source : sources) {
      AuditLine last = source.rest();
      if (last != null) torn.add(last);
    }
    return torn;
  }

  /** Sentences about text that is no line of an audit log. */
  List<String> complaints() {
    List<String> complaints = new ArrayList<>();
    for (AuditSource source : sources) {
      String complaint = source.complaint();
      if (complaint != null) complaints.add(complaint);
    }
    return complaints;
  }

  @Override
  public void close() throws IOException {
    for (AuditSource source : sources) source.close();
  }
}
