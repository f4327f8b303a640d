// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.forebay.seat.audit.AuditEvent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an audit log has written is read back, also while it goes on. */
class AuditSourceTest {
  private static final String TIME = "2026-11-18T10:11:12.500Z";

  @TempDir private Path base;

  private static AuditEvent event(String instance, String refusal) {
    return new AuditEvent(
        "unproved CLIENT",
        1234,
        "127.0.0.1:5000",
        "DestroyInstance",
        new AuditEvent.Subject(instance, "a \"detail\"\n\u0001"),
        refusal);
  }

  private Path file() {
    return base.resolve("audit/audit.log");
  }

  private static String line(String action) {
    return "{\"time\":\"%s\",\"component\":\"s\",\"action\":\"%s\",\"outcome\":\"ok\"}\n"
        .formatted(TIME, action);
  }

  private static List<String> actions(AuditSource source) throws IOException {
    List<String> actions = new ArrayList<>();
    for (AuditLine each = source.next(); each != null; each = source.next()) {
      actions.add(each.action());
    }
    return actions;
  }

  private void append(String text) throws IOException {
    Files.createDirectories(file().getParent());
    Files.writeString(file(), text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  @Test
  void aLineIsReadAsItWasMeant() throws IOException {
    InstantSource clock = InstantSource.fixed(Instant.parse(TIME));
    try (AuditLog log = AuditLog.start("manager", AuditFiles.in(base), clock)) {
      log.audited(event("one", null));
      log.audited(event("two", "not yours"));
    }
    String json = Files.readAllLines(file()).get(0);
    try (AuditSource source = AuditSource.open(file())) {
      assertThat(source.next())
          .isEqualTo(
              new AuditLine(
                  Instant.parse(TIME),
                  "manager",
                  "unproved CLIENT",
                  1234L,
                  "127.0.0.1:5000",
                  "DestroyInstance",
                  "one",
                  "a \"detail\"\n\u0001",
                  null,
                  0,
                  json));
      assertThat(source.next().refusal()).isEqualTo("not yours");
      assertThat(source.next()).isNull();
      assertThat(source.complaint()).isNull();
    }
  }

  @Test
  void allFilesAreReadInTheirOrder() throws IOException {
    InstantSource clock = InstantSource.fixed(Instant.parse(TIME));
    int events = 30;
    try (AuditLog log = AuditLog.start("s", new AuditFiles(file(), 2000), clock)) {
      for (int i = 0; i < events; i++) log.audited(event("i" + i, null));
    }
    assertThat(base.resolve("audit/audit.log.1")).exists();
    try (AuditSource source = AuditSource.open(file())) {
      for (int i = 0; i < events; i++) {
        assertThat(source.next().instance()).isEqualTo("i" + i);
      }
      assertThat(source.next()).isNull();
    }
  }

  @Test
  void whatIsAppendedIsReadAlsoAfterTheFileWasMovedAside() throws IOException {
    append(line("One"));
    try (AuditSource source = AuditSource.open(file())) {
      assertThat(actions(source)).containsExactly("One");
      String two = line("Two");
      append(two.substring(0, 20));
      assertThat(actions(source)).as("half a line").isEmpty();
      append(two.substring(20) + line("Three"));
      Files.move(file(), base.resolve("audit/audit.log.1"));
      append(line("Four"));
      assertThat(actions(source)).containsExactly("Two", "Three", "Four");
      assertThat(actions(source)).isEmpty();
      append(line("Five"));
      assertThat(actions(source)).containsExactly("Five");
      assertThat(source.complaint()).isNull();
    }
  }

  @Test
  void textThatIsNoLineIsCountedAndLeftOut() throws IOException {
    append(line("One"));
    append("garbage\n{\"time\":\"2026\n{}\n{\"time\":\"" + TIME + "\",\"component\":\"s\"}\n\n");
    append("x".repeat(200_000) + "\n" + line("Two"));
    append("{\"time\":\"" + TIME + "\",\"component\":\"s\",\"dropped\":7}\n{\"time\":\"20");
    try (AuditSource source = AuditSource.open(file())) {
      assertThat(source.next().action()).isEqualTo("One");
      assertThat(source.next().action()).isEqualTo("Two");
      assertThat(source.next().dropped()).isEqualTo(7);
      assertThat(source.next()).isNull();
      assertThat(source.rest()).isNull();
      assertThat(source.complaint())
          .isEqualTo(
              "6 lines are no lines of an audit log, and are left out; the first is line 2 of '"
                  + file()
                  + "'");
    }
  }

  @Test
  void logsAreFoundByTheDirectoriesOfServers() throws IOException {
    assertThat(AuditSource.find(base)).isEmpty();
    assertThat(AuditSource.find(base.resolve("nothing"))).isEmpty();
    append(line("One"));
    assertThat(AuditSource.find(base)).containsExactly(file());
    assertThat(AuditSource.find(file())).containsExactly(file());
    Path ring = base.resolve("ring");
    List<Path> logs = new ArrayList<>();
    for (String name : List.of("manager", "server-1")) {
      Path log = ring.resolve(name).resolve("audit/audit.log");
      Files.createDirectories(log.getParent());
      logs.add(Files.writeString(log, line("One")));
    }
    Files.createDirectories(ring.resolve("other"));
    assertThat(AuditSource.find(ring)).isEqualTo(logs);
    assertThatThrownBy(() -> AuditSource.open(base.resolve("nothing")))
        .isInstanceOf(NoSuchFileException.class);
  }
}
