// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.audit;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.cli.CommandOutcome;
import io.forebay.seat.audit.AuditEvent;
import io.forebay.server.audit.AuditFiles;
import io.forebay.server.audit.AuditLog;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class AuditCommandTest {
  private static final String REFUSAL =
      "instance 'run7' belongs to user 0; only that user and root may change or destroy it, and"
          + " this sentence is so long that it takes more than one line of a hundred characters";

  @TempDir Path ring;

  private Instant now = Instant.parse("2026-11-18T10:11:12Z");

  private static AuditEvent event(Integer user, String action, String instance, String refusal) {
    return new AuditEvent(
        "user 1000 of this machine",
        user,
        "127.0.0.1:5000",
        action,
        new AuditEvent.Subject(instance, ""),
        refusal);
  }

  private void write(String component, AuditEvent... events) {
    AuditFiles files = AuditFiles.in(ring.resolve(component));
    try (AuditLog log = AuditLog.start(component, files, () -> now)) {
      for (AuditEvent event : events) {
        now = now.plusSeconds(60);
        log.audited(event);
      }
    }
  }

  @BeforeEach
  void writeLogs() {
    write("manager", event(1000, "CreateInstance", "run7", null));
    write("server-1", event(1000, "BeginSession", "run7", null));
    write(
        "manager",
        event(1001, "DestroyInstance", "run7", REFUSAL),
        event(null, "CreateToken", "", null),
        event(1001, "CreateInstance", "an-instance-with-a-very-long-name\u001b[2J", null));
  }

  private CommandOutcome audit(String... options) {
    String[] all = new String[options.length + 3];
    System.arraycopy(options, 0, all, 3, options.length);
    all[0] = "audit";
    all[1] = "--dir";
    all[2] = ring.toString();
    return CommandOutcome.run(all);
  }

  private static List<String> actions(CommandOutcome outcome) {
    assertThat(outcome.exitCode()).as(outcome.err()).isZero();
    return outcome
        .out()
        .lines()
        .filter(line -> line.startsWith("2026-"))
        .map(line -> line.substring(19).strip().split("  +", -1)[2])
        .toList();
  }

  @Test
  void theTableShowsAllLogsInTheOrderOfTime() {
    CommandOutcome outcome = audit();
    assertThat(actions(outcome))
        .containsExactly(
            "CreateInstance", "BeginSession", "DestroyInstance", "CreateToken", "CreateInstance");
    assertThat(outcome.out().lines()).allMatch(line -> line.length() <= 100, "fits 100 columns");
    assertThat(outcome.out())
        .startsWith("time (UTC)")
        .contains("2026-11-18 10:14:12  manager       user 1001")
        .contains("    instance 'run7' belongs to user 0; only that user")
        .contains("an-instance-…")
        .doesNotContain("\u001b");
    assertThat(outcome.err()).isEmpty();
  }

  @Test
  void linesAreChosenByOptions() {
    assertThat(actions(audit("--refused"))).containsExactly("DestroyInstance");
    assertThat(actions(audit("--user", "1001"))).hasSize(2);
    assertThat(actions(audit("--user", "1000"))).as("named or proved").hasSize(5);
    assertThat(actions(audit("--instance", "run7"))).hasSize(3);
    assertThat(actions(audit("--action", "createinstance", "--instance", "run7"))).hasSize(1);
    assertThat(actions(audit("--since", "2026-11-18T10:14:12Z"))).hasSize(3);
    assertThat(actions(audit("--since", "2026-11-17"))).hasSize(5);
    CommandOutcome two = audit("--last", "2");
    assertThat(actions(two)).containsExactly("CreateToken", "CreateInstance");
    assertThat(two.out()).contains("… and 3 earlier");
    assertThat(audit("--user", "77").out()).contains("no line of the audit log matches");
    CommandOutcome json = audit("--json", "--refused");
    assertThat(json.out().strip()).startsWith("{\"time\":").endsWith("\"" + REFUSAL + "\"}");
  }

  @Test
  void whatMakesNoSenseIsSaid() throws IOException {
    assertThat(audit("--user", "alice").err()).contains("the number of a user, not 'alice'");
    assertThat(audit("--since", "yesterday").err()).contains("--since cannot be 'yesterday'");
    assertThat(audit("--last", "-1").err()).contains("--last must be 0 or more");
    assertThat(CommandOutcome.run("audit", "--dir", "/nowhere").err())
        .contains("'/nowhere' does not exist; name the directory of a server or manager");
    Path empty = Files.createDirectory(ring.resolve("empty"));
    CommandOutcome none = CommandOutcome.run("audit", "--dir", empty.toString());
    assertThat(none.err()).contains("'" + empty + "' has no audit log; name the directory");
    assertThat(none.exitCode()).isEqualTo(1);
  }

  @Test
  void garbageIsLeftOutAndSaid() throws IOException {
    Path file = ring.resolve("manager/audit/audit.log");
    Files.writeString(file, "garbage\n{\"time\":\"2026-11", StandardOpenOption.APPEND);
    CommandOutcome outcome = audit();
    assertThat(actions(outcome)).hasSize(5);
    assertThat(outcome.err())
        .contains("2 lines are no lines of an audit log", "the first is line 5 of '" + file + "'");
  }

  @Test
  void newLinesAreFollowed() throws InterruptedException {
    StringWriter out = new StringWriter();
    String dir = ring.toString();
    AtomicReference<Integer> code = new AtomicReference<>();
    Thread following =
        Thread.ofPlatform()
            .start(
                () ->
                    code.set(
                        CommandOutcome.run(out, "audit", "--dir", dir, "--follow", "--user", "7")));
    write("server-1", event(7, "EndJob", "run8", null));
    while (!out.toString().contains("run8")) LockSupport.parkNanos(10_000_000);
    following.interrupt();
    following.join();
    assertThat(code).hasValue(0);
  }
}
