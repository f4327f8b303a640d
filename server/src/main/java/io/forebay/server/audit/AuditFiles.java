// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.audit;

import io.forebay.server.settings.BadSetting;
import io.forebay.server.settings.Keys;
import io.forebay.server.settings.Settings;
import java.nio.file.Path;

/**
 * Where an audit log is.
 *
 * @param file the newest lines; older ones are beside it, in files with {@code .1} and so on
 * @param bytesMax the size of each of these files
 */
public record AuditFiles(Path file, long bytesMax) {
  private static final long BYTES_MAX_DEFAULT = 16L << 20;
  private static final String USUAL = "audit/audit.log";

  /** The usual ones of a process with that directory. */
  public static AuditFiles in(Path directory) {
    return new AuditFiles(directory.resolve(USUAL), BYTES_MAX_DEFAULT);
  }

  public static AuditFiles from(Settings settings) throws BadSetting {
    Path file = settings.find(Keys.AUDIT_LOG);
    return new AuditFiles(
        file != null ? file : in(settings.get(Keys.DIR)).file(), settings.get(Keys.AUDIT_LOG_SIZE));
  }
}
