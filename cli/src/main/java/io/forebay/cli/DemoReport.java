package io.forebay.cli;

import io.forebay.base.ByteSize;
import io.forebay.cli.demo.Burst;
import io.forebay.cli.demo.DemoPlan;
import io.forebay.cli.terminal.Json;
import io.forebay.cli.terminal.Progress;
import io.forebay.cli.terminal.Table;
import io.forebay.server.ring.RingPlace;
import io.forebay.wire.message.Statuses;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Says what the demo does, a line for each step, and its figures at the end; or those as JSON. */
final class DemoReport {
  private static final double NANOS_PER_SECOND = 1e9;
  private static final long MIB = 1024 * 1024;
  private static final String INDENT = " ".repeat(10);

  private final PrintWriter out;
  private final PrintWriter err;
  private final boolean json;
  private final Map<String, Object> values = new LinkedHashMap<>();
  private long beforeCrashBytes;
  private long waitedNanos;
  private long verifiedBytes;
  private long acknowledgedBytes;
  private long verifyNanos;
  private long directNanos;
  private long drainNanos;
  private long drainedBytes;
  private String store = "";

  DemoReport(PrintWriter out, PrintWriter err, boolean json) {
    this.out = out;
    this.err = err;
    this.json = json;
  }

  /** A bar that is there from the beginning. */
  Progress progress(String label) {
    return Progress.of(INDENT + label, err).fromTheStart();
  }

  void planned(DemoPlan plan, RingPlace place) {
    values.put("burstBytes", plan.burstBytes());
    values.put("memoryBytes", plan.memoryBytes());
    values.put("ssdBytes", plan.ssdBytes());
    say("Forebay takes a burst that the storage behind it could not; a server is killed; nothing");
    say("acknowledged is lost; and all of it is drained in large writes, while nobody waits.");
    say("");
    step("room", ByteSize.format(plan.memoryBytes()) + " in '" + place.memory() + "'");
    step("", ByteSize.format(plan.ssdBytes()) + " in '" + place.disk() + "'");
    if (plan.reduced()) step("", "there is little room, so the burst is smaller than usual");
  }

  /** What is behind the ring, and why it is not as slow as it should be. */
  void behind(String label, String reason) {
    store = label;
    values.put("store", label);
    if (!reason.isEmpty()) step("", reason);
  }

  void started(long nanos) {
    values.put("servers", DemoPlan.SERVERS);
    values.put("copies", DemoPlan.COPIES);
    values.put("startNanos", nanos);
    step(
        "ring",
        "a manager and %d servers, each a process of its own, serve after %s"
            .formatted(DemoPlan.SERVERS, seconds(nanos)));
  }

  void begun(DemoPlan plan) {
    step(
        "burst",
        "%d ranks write a checkpoint of %s, into one file together and one each"
            .formatted(DemoPlan.RANKS, ByteSize.format(plan.burstBytes())));
    step("", "a byte is acknowledged when %d servers have it".formatted(DemoPlan.COPIES));
  }

  void killed(String server, long pid, long bytes, long nanos) {
    beforeCrashBytes = bytes;
    waitedNanos = nanos;
    values.put("acknowledgedBeforeCrashBytes", bytes);
    values.put("waitedNanos", nanos);
    values.put("killed", server);
    step(
        "",
        "%s acknowledged after the ranks had waited %s"
            .formatted(ByteSize.format(bytes), seconds(nanos)));
    step("crash", "%s, process %d, killed with SIGKILL while more arrived".formatted(server, pid));
  }

  /** When it is about to be started again. */
  void away(Burst burst) {
    long withoutBytes = burst.acknowledgedBytes() - beforeCrashBytes;
    values.put("acknowledgedWithoutItBytes", withoutBytes);
    step(
        "",
        "%s acknowledged by the others so far, %s wait for it or for one in its place"
            .formatted(
                ByteSize.format(withoutBytes),
                ByteSize.format(burst.plan().burstBytes() - burst.acknowledgedBytes())));
  }

  void restarted(String server, long nanos, Map<String, Statuses.SeatStatus> status) {
    Statuses.SeatStatus seat = status.get(server);
    if (seat == null) throw new IllegalStateException("the map has no " + server);
    // What came since its start was not found.
    Statuses.Counters since = seat.counters();
    long foundBytes = Math.max(0, seat.liveBytes() - since.putBytes() - since.copyBytes());
    values.put("restartNanos", nanos);
    values.put("foundBytes", foundBytes);
    step(
        "restart",
        "%s is back after %s with %s found in its log"
            .formatted(server, seconds(nanos), ByteSize.format(foundBytes)));
  }

  void finished(Burst burst, long nanosSinceCrash) {
    acknowledgedBytes = burst.acknowledgedBytes();
    values.put("acknowledgedBytes", acknowledgedBytes);
    values.put("finishedAfterCrashNanos", nanosSinceCrash);
    step(
        "",
        "all %s acknowledged and published %s after the crash"
            .formatted(ByteSize.format(acknowledgedBytes), seconds(nanosSinceCrash)));
  }

  void held(Map<String, Statuses.SeatStatus> status) {
    Map<String, Object> held = new LinkedHashMap<>();
    List<String> parts = new ArrayList<>();
    status.forEach(
        (server, seat) -> {
          held.put(server, seat.liveBytes());
          parts.add(server + " " + ByteSize.format(seat.liveBytes()));
        });
    values.put("heldBytes", held);
    step("held", String.join(", ", parts));
  }

  void verified(long soundBytes, long allBytes, long nanos) {
    verifiedBytes = soundBytes;
    verifyNanos = nanos;
    values.put("verifyNanos", nanos);
    values.put("verifiedBytes", soundBytes);
    values.put("lostBytes", allBytes - soundBytes);
    String lost =
        soundBytes == allBytes
            ? "nothing is lost"
            : ByteSize.format(allBytes - soundBytes) + " ARE LOST OR WRONG";
    step("check", "a new client compared every byte in %s: %s".formatted(seconds(nanos), lost));
  }

  void drained(long soundBytes, long allBytes, long nanos) {
    drainNanos = nanos;
    drainedBytes = soundBytes;
    values.put("drainNanos", nanos);
    values.put("drainedBytes", soundBytes);
    String wrong =
        soundBytes == allBytes
            ? "all of it is there"
            : ByteSize.format(allBytes - soundBytes) + " ARE MISSING OR WRONG";
    step("drain", "to %s in %s: %s".formatted(store, seconds(nanos), wrong));
  }

  void direct(long nanos) {
    directNanos = nanos;
    values.put("directNanos", nanos);
    step(
        "compare", "the ranks write the same straight to such a store, and wait " + seconds(nanos));
  }

  void figures(DemoPlan plan) {
    if (json) {
      out.println(Json.write(values));
      out.flush();
      return;
    }
    say("");
    Table table = new Table(1, "", "bytes", "time", "rate");
    row(table, "the ranks waited for the ring, until the crash", beforeCrashBytes, waitedNanos);
    row(table, "without a ring, for the slow store", plan.burstBytes(), directNanos);
    row(table, "check", verifiedBytes, verifyNanos);
    row(table, "drained while nobody waited", drainedBytes, drainNanos);
    table.row("lost", ByteSize.format(acknowledgedBytes - verifiedBytes), "", "");
    table.print(out);
    say("");
    say("Here ranks and servers share one machine; in a cluster each server brings its own.");
  }

  /** What the processes said before something failed. */
  void logLines(List<String> lines) {
    for (String line : lines) err.println(line);
    err.flush();
  }

  /** What stays, also when something failed. */
  void kept(Path directory, Path memory) {
    say("");
    say("The ring's files stay in '" + directory + "',");
    say("its memory in '" + memory + "'.");
  }

  /** What to try next. */
  void end(DemoPlan plan, @Nullable Path kept) {
    if (kept == null) {
      say("");
      say("Nothing is left behind. Next:");
      say("  ./forebay up                brings up a ring that stays, and says how to use it");
      say("  ./forebay demo --keep DIR   keeps this ring's files");
      return;
    }
    DemoPlan.Budget budget = plan.server();
    say("");
    say("Next:");
    say("  ./forebay up --dir '" + kept + "' \\");
    say(
        "      --segment %s --memory %s --ssd %s    # serves it again"
            .formatted(
                size(budget.segmentBytes()), size(budget.memoryBytes()), size(budget.ssdBytes())));
    say("  ./forebay log inspect '" + kept.resolve("server-1").resolve("seat-1") + "'");
  }

  /** As options take it. */
  private static String size(long bytes) {
    return bytes / MIB + "MiB";
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
