// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli;

import io.forebay.base.ByteSize;
import io.forebay.base.Json;
import io.forebay.cli.demo.Burst;
import io.forebay.cli.demo.DemoPlan;
import io.forebay.cli.demo.Outcome;
import io.forebay.cli.demo.WaitPicture;
import io.forebay.cli.terminal.Brief;
import io.forebay.cli.terminal.Progress;
import io.forebay.cli.terminal.TerminalWidth;
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

/**
 * Reports the result of the demo: one sentence, a picture and its meaning, or all figures as JSON;
 * and each step as it is done, if requested.
 */
final class DemoReport {
  /** The steps that are shown. */
  enum Step {
    START("starting a manager and %d servers".formatted(DemoPlan.SERVERS)),
    WARM_UP("warming the ring, not counted"),
    BURST("%d ranks write a burst".formatted(DemoPlan.RANKS)),
    WITHOUT("a server was killed, the others continue"),
    RETURN("the server comes back"),
    CHECK("comparing every byte"),
    DRAIN("draining to the slow store"),
    DIRECT("writing the same without the ring");

    private final String label;

    Step(String label) {
      this.label = label;
    }
  }

  private static final double NANOS_PER_SECOND = 1e9;
  private static final long MIB = 1024 * 1024;
  private static final String INDENT = " ".repeat(10);

  private final PrintWriter out;
  private final PrintWriter err;
  private final boolean verbose;
  private final boolean json;
  private final int charsMax;
  private final Map<String, Object> values = new LinkedHashMap<>();
  private long beforeCrashBytes;
  private long crashNanos;
  private long waitedNanos;
  private long verifiedBytes;
  private long acknowledgedBytes;
  private long directNanos;
  private long drainNanos;
  private String store = "";

  DemoReport(PrintWriter out, PrintWriter err, boolean verbose, boolean json) {
    this.out = out;
    this.err = err;
    this.verbose = verbose;
    this.json = json;
    this.charsMax = Math.min(TerminalWidth.USUAL, new TerminalWidth().getAsInt() - 1);
  }

  /** A bar that is shown from the beginning. */
  Progress progress(Step step) {
    String number =
        "%d/%d ".formatted(List.of(Step.values()).indexOf(step) + 1, Step.values().length);
    return Progress.of(number + step.label, err).fromTheStart();
  }

  void planned(DemoPlan plan, RingPlace place) {
    values.put("burstBytes", plan.burstBytes());
    values.put("memoryBytes", plan.memoryBytes());
    values.put("ssdBytes", plan.ssdBytes());
    step("room", ByteSize.format(plan.memoryBytes()) + " in '" + place.memory() + "'");
    step("", ByteSize.format(plan.ssdBytes()) + " in '" + place.disk() + "'");
    if (place.memoryIsOnDisk()) {
      step("", "there is too little shared memory, so what is for memory is on the disk");
    }
    if (plan.reduced()) step("", "there is little room, so the burst is smaller than usual");
  }

  /** The storage behind the ring, and if it is not as slow as intended, the reason. */
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

  void warmedUp(long bytes, long nanos) {
    values.put("warmUpBytes", bytes);
    values.put("warmUpNanos", nanos);
    step(
        "warm-up",
        "%s written and removed again in %s, not counted"
            .formatted(ByteSize.format(bytes), seconds(nanos)));
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
    crashNanos = nanos;
    values.put("acknowledgedBeforeCrashBytes", bytes);
    values.put("waitedBeforeCrashNanos", nanos);
    values.put("killed", server);
    step(
        "",
        "%s acknowledged after the ranks had waited %s"
            .formatted(ByteSize.format(bytes), seconds(nanos)));
    step("crash", "%s, process %d, killed with SIGKILL while more arrived".formatted(server, pid));
  }

  /** When it is about to be started again. */
  void away(Burst burst, long nanosSinceCrash) {
    long withoutBytes = burst.acknowledgedBytes() - beforeCrashBytes;
    long leftBytes = burst.bytes() - burst.acknowledgedBytes();
    values.put("acknowledgedWithoutItBytes", withoutBytes);
    step(
        "",
        "%s acknowledged by the others in %s, %s wait for it"
            .formatted(
                ByteSize.format(withoutBytes),
                seconds(nanosSinceCrash),
                ByteSize.format(leftBytes)));
  }

  void restarted(String server, long nanos, Map<String, Statuses.SeatStatus> status) {
    Statuses.SeatStatus seat = status.get(server);
    if (seat == null) throw new IllegalStateException("the map has no " + server);
    // Records received since its start were not recovered.
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
    waitedNanos = burst.waitedNanos();
    values.put("waitedNanos", waitedNanos);
    values.put("acknowledgedBytes", acknowledgedBytes);
    values.put("finishedAfterCrashNanos", nanosSinceCrash);
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
    values.put("drainNanos", nanos);
    values.put("drainedBytes", soundBytes);
    String wrong =
        soundBytes == allBytes
            ? "all of it is there"
            : ByteSize.format(allBytes - soundBytes) + " ARE MISSING OR WRONG";
    step("drain", "to the slow store in %s: %s".formatted(seconds(nanos), wrong));
  }

  void direct(long nanos) {
    directNanos = nanos;
    values.put("directNanos", nanos);
    step(
        "compare", "the ranks write the same straight to such a store, and wait " + seconds(nanos));
  }

  void figures() {
    Outcome outcome =
        new Outcome(acknowledgedBytes, verifiedBytes, waitedNanos, crashNanos, directNanos);
    if (json) {
      out.println(Json.write(values));
      out.flush();
      return;
    }
    if (verbose) say("");
    tell(outcome.headline());
    say("");
    say("time that the ranks waited");
    for (String line : WaitPicture.lines(outcome, charsMax)) say(line);
    say("");
    tell(
        "%d ranks wrote the same %s both times. With the ring they continued when %d of %d servers had"
                .formatted(
                    DemoPlan.RANKS,
                    ByteSize.format(acknowledgedBytes),
                    DemoPlan.COPIES,
                    DemoPlan.SERVERS)
            + " every byte; the ring drained them to the store in %s, while no rank waited."
                .formatted(Outcome.seconds(drainNanos)));
    if (!outcome.isFaster()) {
      tell(
          "%s of what they waited came after the kill: the others take over within seconds, which counts for more the smaller the burst is and the more else this machine does."
              .formatted(Outcome.seconds(waitedNanos - crashNanos)));
    }
    tell("Without it they waited until the store had forced them. The store is " + store + ".");
    tell(
        "The ring was warm, by a burst that is not counted, since such a service runs for weeks."
            + " Another client read every byte back and compared it, and so was what the store got.");
    tell(
        "Here ranks, servers and store share one machine; in a cluster each server brings its own.");
  }

  /** The output of the processes before something failed. */
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
      say("  ./forebay up               # a ring that stays");
      say("  ./forebay demo --verbose   # each step of this");
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

  private static String seconds(long nanos) {
    return String.format(Locale.ROOT, "%.2f s", nanos / NANOS_PER_SECOND);
  }

  /** A text for people, in lines that fit. */
  private void tell(String text) {
    for (String line : Brief.wrap(text, charsMax)) say(line);
  }

  private void step(String name, String text) {
    if (verbose) say(name + INDENT.substring(name.length()) + text);
  }

  private void say(String line) {
    if (json) return;
    out.println(line);
    out.flush();
  }
}
