// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.audit;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.seat.audit.AuditEvent;
import io.forebay.wire.Limit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Lines of the audit log: whole, bounded, for their owner only, and never waited for. */
@Timeout(60)
class AuditLogTest {
  private static final InstantSource CLOCK =
      InstantSource.fixed(Instant.parse("2026-11-18T10:11:12.5Z"));

  @TempDir private Path base;

  private static AuditEvent event(String instance, String refusal) {
    return new AuditEvent(
        "unproved CLIENT",
        1234,
        "127.0.0.1:5000",
        "DestroyInstance",
        new AuditEvent.Subject(instance, ""),
        refusal);
  }

  private Path file() {
    return base.resolve("audit/audit.log");
  }

  @Test
  void aLineTellsWhoDidWhatToWhichInstance() throws IOException {
    try (AuditLog log = AuditLog.start("manager", AuditFiles.in(base), CLOCK)) {
      log.audited(event("one", null));
      log.audited(event("two\n{\"user\":0}", "user 1234 may not"));
      log.audited(
          new AuditEvent(
              "CN=node1",
              null,
              "unix",
              "Leave",
              new AuditEvent.Subject("", "server s1"),
              "x".repeat(5000)));
    }
    List<String> lines = Files.readAllLines(file());
    assertThat(lines).hasSize(3);
    assertThat(lines.get(0))
        .isEqualTo(
            "{\"time\":\"2026-11-18T10:11:12.500Z\",\"component\":\"manager\","
                + "\"principal\":\"unproved CLIENT\",\"user\":1234,\"peer\":\"127.0.0.1:5000\","
                + "\"action\":\"DestroyInstance\",\"instance\":\"one\",\"outcome\":\"ok\"}");
    assertThat(lines.get(1))
        .as("a name makes no line of its own")
        .contains("\"instance\":\"two\\n{\\\"user\\\":0}\"")
        .endsWith("\"outcome\":\"refused\",\"sentence\":\"user 1234 may not\"}");
    assertThat(lines.get(2)).contains("\"user\":null", "\"detail\":\"server s1\"");
    assertThat(lines.get(2).length()).isLessThan(1500);
  }

  @Test
  void filesAreBoundedInSizeAndNumberAndForTheirOwnerOnly() throws IOException {
    long bytesMax = 2000;
    int events = 200;
    try (AuditLog log = AuditLog.start("s", new AuditFiles(file(), bytesMax), CLOCK)) {
      for (int i = 0; i < events; i++) log.audited(event("i" + i, null));
    }
    List<Path> files;
    try (Stream<Path> all = Files.list(file().getParent())) {
      files = all.sorted().toList();
    }
    assertThat(files).hasSize(RotatedFile.FILES_MAX).contains(file());
    List<String> lines = new ArrayList<>();
    for (int number = RotatedFile.FILES_MAX - 1; number >= 0; number--) {
      Path each = number == 0 ? file() : base.resolve("audit/audit.log." + number);
      assertThat(Files.size(each)).isLessThanOrEqualTo(bytesMax);
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(each)))
          .isEqualTo("rw-------");
      lines.addAll(Files.readAllLines(each));
    }
    assertThat(lines).as("the newest ones, in order").allMatch(line -> line.endsWith("}"));
    for (int i = 0; i < lines.size(); i++) {
      assertThat(lines.get(i)).contains("\"i" + (events - lines.size() + i) + "\"");
    }
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file().getParent())))
        .isEqualTo("rwx------");
  }

  @Test
  void whatDoesNotFitIsCountedInALine() throws IOException {
    AuditLog log = AuditLog.unstarted("s", AuditFiles.in(base), CLOCK);
    for (int i = 0; i < AuditLog.QUEUE_MAX + 7; i++) log.audited(event("i" + i, null));
    log.resume();
    log.close();
    assertThat(log.lost()).isEqualTo(7);
    assertThat(log.lostLines().of(Limit.AUDIT_LINES)).isEqualTo(7);
    List<String> lines = Files.readAllLines(file());
    assertThat(lines).hasSize(AuditLog.QUEUE_MAX + 1);
    assertThat(lines.getLast())
        .isEqualTo("{\"time\":\"2026-11-18T10:11:12.500Z\",\"component\":\"s\",\"dropped\":7}");
  }

  @Test
  void aTornLineOfAProcessThatDiedStaysALine() throws IOException {
    Files.createDirectories(file().getParent());
    Files.writeString(file(), "{\"time\":\"2026");
    try (AuditLog log = AuditLog.start("s", AuditFiles.in(base), CLOCK)) {
      log.audited(event("one", null));
    }
    assertThat(Files.readAllLines(file())).hasSize(2).first().isEqualTo("{\"time\":\"2026");
  }

  @Test
  void aFileThatCannotBeWrittenKeepsNoCallerWaiting() throws IOException {
    Files.createDirectories(file());
    AuditLog log = AuditLog.start("s", AuditFiles.in(base), CLOCK);
    log.audited(event("one", null));
    log.close();
    assertThat(file()).isEmptyDirectory();
  }
}
