package io.forebay.cli;

import io.forebay.base.ByteSize;
import io.forebay.cli.demo.Burst;
import io.forebay.cli.demo.BurstRecovery;
import io.forebay.cli.demo.DemoPlace;
import io.forebay.cli.demo.DemoPlan;
import io.forebay.cli.terminal.Json;
import io.forebay.cli.terminal.Progress;
import io.forebay.cli.terminal.Table;
import io.forebay.store.log.LogId;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Says what the demo does, a line for each step, and its figures at the end; or those as JSON. */
final class DemoReport {
  private static final double NANOS_PER_SECOND = 1e9;
  private static final String INDENT = " ".repeat(10);

  private final PrintWriter out;
  private final PrintWriter err;
  private final boolean json;
  private @Nullable LogId log;
  private long recoveryNanos;
  private long verifiedBytes;
  private long verifyNanos;
  private long directNanos;

  DemoReport(PrintWriter out, PrintWriter err, boolean json) {
    this.out = out;
    this.err = err;
    this.json = json;
  }

  /** A bar that is there from the beginning. */
  Progress progress(String label) {
    return Progress.of(INDENT + label, err).fromTheStart();
  }

  void planned(DemoPlan plan, DemoPlace place) {
    say("Forebay takes a burst of writes, is killed, and loses nothing it acknowledged.");
    say("");
    step("room", ByteSize.format(plan.config().memoryBytes()) + " in '" + place.memory() + "'");
    step("", ByteSize.format(plan.config().ssdBytes()) + " in '" + place.disk() + "'");
    if (plan.reduced()) step("", "there is little room, so the burst is smaller than usual");
  }

  void begun(Burst burst) {
    step(
        "burst",
        "%d ranks write a checkpoint of %s into a buffer held by process %d"
            .formatted(
                DemoPlan.RANKS, ByteSize.format(burst.plan().burstBytes()), burst.holderPid()));
  }

  void killed(Burst burst) {
    step(
        "",
        "%s acknowledged after the ranks had waited %s"
            .formatted(ByteSize.format(burst.acknowledgedBytes()), seconds(burst.waitedNanos())));
    step(
        "crash",
        "process %d killed with SIGKILL while the rest arrived".formatted(burst.holderPid()));
  }

  void recovered(BurstRecovery recovery) {
    log = recovery.log();
    recoveryNanos = recovery.nanos();
    step(
        "recovery",
        "a new process found %d records in %s, in %d memory and %d disk segments"
            .formatted(
                recovery.records(),
                seconds(recoveryNanos),
                recovery.memorySegments(),
                recovery.ssdSegments()));
  }

  void verified(long soundBytes, long acknowledgedBytes, long nanos) {
    verifiedBytes = soundBytes;
    verifyNanos = nanos;
    String lost =
        soundBytes == acknowledgedBytes
            ? "nothing is lost"
            : ByteSize.format(acknowledgedBytes - soundBytes) + " ARE LOST OR WRONG";
    step("check", "every acknowledged byte compared in %s: %s".formatted(seconds(nanos), lost));
  }

  void direct(long nanos) {
    directNanos = nanos;
    step("compare", "the same bytes written straight to the disk took " + seconds(nanos));
  }

  void figures(Burst burst) {
    long bytes = burst.acknowledgedBytes();
    if (json) {
      out.println(Json.write(values(burst)));
      return;
    }
    say("");
    Table table = new Table(1, "", "bytes", "time", "rate");
    row(table, "the application waited for the buffer", bytes, burst.waitedNanos());
    row(table, "without one, for the disk", bytes, directNanos);
    row(table, "recovery", bytes, recoveryNanos);
    row(table, "check", verifiedBytes, verifyNanos);
    table.row("lost", ByteSize.format(bytes - verifiedBytes), "", "");
    table.print(out);
    out.flush();
  }

  /** What is left, and what to try next. */
  void end(@Nullable Path kept, Path memory) {
    say("");
    if (kept == null) {
      say("Nothing is left behind. Next:");
      say(
          "  ./forebay demo --keep DIR       keeps the log there; ./forebay log inspect DIR shows it");
      say("  ./forebay bench store --quick   measures the store on this machine");
    } else {
      say("The log stays, with its memory in '" + memory + "'. Next:");
      say("  ./forebay log inspect '" + kept + "'");
      say("  ./forebay log verify '" + kept + "'");
      say("  rm -r '" + kept + "' '" + memory.resolve("forebay-" + log) + "'");
    }
  }

  private Map<String, Object> values(Burst burst) {
    long bytes = burst.acknowledgedBytes();
    Map<String, Object> values = new LinkedHashMap<>();
    values.put("burstBytes", burst.plan().burstBytes());
    values.put("memoryBytes", burst.plan().config().memoryBytes());
    values.put("ssdBytes", burst.plan().config().ssdBytes());
    values.put("acknowledgedBytes", bytes);
    values.put("waitedNanos", burst.waitedNanos());
    values.put("directNanos", directNanos);
    values.put("recoveryNanos", recoveryNanos);
    values.put("verifyNanos", verifyNanos);
    values.put("verifiedBytes", verifiedBytes);
    values.put("lostBytes", bytes - verifiedBytes);
    return values;
  }

  private void row(Table table, String what, long bytes, long nanos) {
    long bytesPerSecond = (long) (bytes / Math.max(nanos / NANOS_PER_SECOND, 1e-9));
    table.row(what, ByteSize.format(bytes), seconds(nanos), ByteSize.format(bytesPerSecond) + "/s");
  }

  private static String seconds(long nanos) {
    return String.format(Locale.ROOT, "%.2f s", nanos / NANOS_PER_SECOND);
  }

  private void step(String name, String text) {
    say(name + INDENT.substring(name.length()) + text);
  }

  private void say(String line) {
    if (json) return;
    out.println(line);
    out.flush();
  }
}
