// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.metrics;

import static io.forebay.metrics.Metric.counter;
import static io.forebay.metrics.Metric.gauge;
import static io.forebay.metrics.Metric.histogram;

import io.forebay.metrics.Metric;
import io.forebay.metrics.Samples;
import io.forebay.seat.SeatFigures;
import io.forebay.store.StoreStats;
import io.forebay.wire.message.Statuses;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** The metrics of a seat. */
final class SeatMetrics {
  private static final String[] SEAT = {"server", "seat"};
  private static final String[] TIER = {"server", "seat", "tier"};
  private static final String HOME = "home";

  private static final List<Reading<SeatFigures>> PLAIN =
      List.of(
          // What clients and other seats bring and fetch.
          ofCounters("forebay_seat_puts_total", "Records that clients have put.", c -> c.puts()),
          ofCounters(
              "forebay_seat_put_bytes_total", "Bytes that clients have put.", c -> c.putBytes()),
          ofCounters(
              "forebay_seat_copies_total", "Records that are copies for others.", c -> c.copies()),
          ofCounters("forebay_seat_copy_bytes_total", "Their bytes.", c -> c.copyBytes()),
          ofCounters("forebay_seat_gets_total", "Reads of records.", c -> c.gets()),
          ofCounters("forebay_seat_get_bytes_total", "Bytes that were read.", c -> c.getBytes()),
          ofCounters("forebay_seat_name_ops_total", "Operations on names.", c -> c.nameOps()),
          ofCounters("forebay_seat_refused_total", "Requests that were refused.", c -> c.refused()),
          ofCounters(
              "forebay_seat_redirected_total",
              "Records that were redirected to another group.",
              c -> c.redirected()),
          // Care for what is kept.
          ofCounters(
              "forebay_seat_swept_total", "Dead records that a sweep found.", c -> c.swept()),
          ofCounters(
              "forebay_seat_corrupt_total",
              "Records found not to match their checksums.",
              c -> c.corrupt()),
          ofCounters(
              "forebay_seat_repaired_total",
              "Corrupt records that a copy has replaced.",
              c -> c.repaired()),
          gaugeOf(
              "forebay_seat_lost_records",
              "Corrupt records that no other seat can deliver at present.",
              f -> f.status().counters().lost()),
          ofCounters(
              "forebay_seat_scrubbed_bytes_total",
              "Bytes that were compared with their checksums without a reader.",
              c -> c.scrubbedBytes()),
          // Drains.
          ofCounters(
              "forebay_seat_drain_writes_total",
              "Writes to backing stores that succeeded.",
              c -> c.drainWrites()),
          ofCounters(
              "forebay_seat_drained_bytes_total", "Bytes of these writes.", c -> c.drainedBytes()),
          gaugeOf(
              "forebay_seat_shuffle_max_bytes",
              "The peak of memory that gathers bytes of other seats for drains.",
              f -> f.status().counters().shuffleBytes()),
          // Wear of the SSD.
          ofCounters(
              "forebay_seat_ssd_written_bytes_total",
              "Bytes written to the SSD, by spill and compaction too.",
              c -> c.ssdBytes()),
          // The log.
          gaugeOf("forebay_seat_records", "Records that can be read.", f -> f.status().records()),
          gaugeOf(
              "forebay_seat_live_bytes",
              "Bytes in the log that must be kept.",
              f -> f.status().liveBytes()),
          gaugeOf(
              "forebay_seat_clean_bytes",
              "Bytes in the log that are kept as a cache.",
              f -> f.store().cleanBytes()),
          gaugeOf("forebay_seat_segments", "Segments of the log.", f -> f.store().segments()),
          gaugeOf("forebay_seat_index_bytes", "Memory of the index.", f -> f.store().indexBytes()),
          ofStore("forebay_seat_forces_total", "Forces of the log to the SSD.", s -> s.forces()),
          ofStore(
              "forebay_seat_spills_total",
              "Segments whose spill from memory to the SSD began.",
              s -> s.spills()),
          ofStore(
              "forebay_seat_segments_freed_total",
              "Segments that were freed.",
              s -> s.segmentsFreed()),
          ofStore(
              "forebay_seat_evicted_bytes_total",
              "Drained bytes that were evicted.",
              s -> s.evictedBytes()),
          ofStore(
              "forebay_seat_relocated_bytes_total",
              "Bytes that compaction has moved.",
              s -> s.relocatedBytes()),
          ofStore(
              "forebay_seat_damaged_records_total",
              "Records that the log found damaged.",
              s -> s.damagedRecords()),
          gaugeOf(
              "forebay_seat_suspect_segments",
              "Segments whose file has failed.",
              f -> f.store().counters().suspectSegments()),
          gaugeOf(
              "forebay_seat_backing_calls",
              "Calls of backing stores that are not answered yet.",
              f -> f.drains().calls()),
          gaugeOf(
              "forebay_seat_backing_unusable",
              "Backing stores that this seat cannot open.",
              f -> f.drains().unusable()),
          // What waits.
          gaugeOf("forebay_seat_held_writers", "Writers that wait.", f -> f.waiting().held()),
          new Reading<>(
              counter(
                  "forebay_seat_backpressure_seconds_total",
                  "How long writers have waited for room, all added up.",
                  SEAT),
              f -> Reading.seconds(f.waiting().heldNanos())),
          gaugeOf(
              "forebay_seat_copy_queue_records",
              "Records that are to be sent to other seats, or on their way.",
              f -> f.waiting().copies()),
          gaugeOf("forebay_seat_copy_queue_bytes", "Their bytes.", f -> f.waiting().copyBytes()),
          gaugeOf(
              "forebay_seat_writers_wait",
              "Whether writers have to wait at present.",
              f -> Reading.flag(!f.status().pressure().isEmpty())),
          // Itself.
          gaugeOf("forebay_seat_connections", "Open connections.", f -> f.status().clients()),
          gaugeOf(
              "forebay_seat_map_epoch", "The map that it follows.", f -> f.status().ringEpoch()),
          gaugeOf(
              "forebay_seat_up_seconds",
              "How long its process has run it.",
              f -> Reading.seconds(f.status().upNanos())),
          gaugeOf(
              "forebay_seat_has_place",
              "Whether the ring has given it a place.",
              f -> Reading.flag(f.status().hasPlace())),
          gaugeOf(
              "forebay_seat_insecure",
              "Whether it believes every program that reaches it.",
              f -> Reading.flag(f.status().insecure())));

  private static final List<Reading<List<Statuses.GroupStatus>>> GROUPS =
      List.of(
          groups("forebay_seat_groups_home", "Groups that it is home of.", homes -> homes.size()),
          groups(
              "forebay_seat_groups_not_serving",
              "Groups that it is home of and does not serve.",
              homes -> homes.stream().filter(each -> !each.state().equals("serving")).count()),
          groups(
              "forebay_seat_lease_min_seconds",
              "The shortest lease of the groups that it is home of.",
              homes ->
                  Reading.seconds(
                      homes.stream().mapToLong(Statuses.GroupStatus::leaseNanos).min().orElse(0))),
          groups(
              "forebay_seat_sessions",
              "Sessions of clients.",
              homes -> sum(homes, Statuses.GroupStatus::sessions)),
          groups(
              "forebay_seat_puts_under_way",
              "Records that wait for their copies.",
              homes -> sum(homes, Statuses.GroupStatus::putsUnderWay)),
          groups(
              "forebay_seat_journal_entries",
              "Entries of the journals of these groups.",
              homes -> sum(homes, each -> each.journalLast() - each.journalFirst() + 1)),
          groups(
              "forebay_seat_repair_bytes",
              "Bytes that members which are brought up to date shall have.",
              homes -> sum(homes, Statuses.GroupStatus::repairBytes)),
          groups(
              "forebay_seat_repair_done_bytes",
              "How much of that they are known to have.",
              homes -> sum(homes, Statuses.GroupStatus::repairedBytes)));

  private static final List<Reading<Statuses.Tier>> TIERS =
      List.of(
          tier("forebay_seat_tier_used_bytes", "Used room of a tier.", Statuses.Tier::usedBytes),
          tier("forebay_seat_tier_bytes", "Budget of a tier.", Statuses.Tier::totalBytes),
          tier(
              "forebay_seat_tier_missing_bytes",
              "How much of the budget there is no room for.",
              Statuses.Tier::missingBytes),
          tier(
              "forebay_seat_tier_anonymous_bytes",
              "How much of a tier is lost when the process ends.",
              Statuses.Tier::anonymousBytes));

  private static final Metric TIMES =
      histogram(
          "forebay_seat_operation_seconds",
          "How long operations took: put (until acknowledged), copy (until confirmed by a member),"
              + " read, publish, change (of names), force (of the log), drain (of a part of a file),"
              + " backing (a call of a backing store).",
          "server",
          "seat",
          "operation");

  private static final Metric STATE =
      gauge(
          "forebay_seat_state",
          "Is 1 for the state of its room: ok, redirecting, spilling, tight or full.",
          "server",
          "seat",
          "state");

  static final Metric LIMIT =
      counter(
          "forebay_limit_reached_total",
          "How often peers have reached a limit.",
          "process",
          "loop",
          "limit");

  private static final List<String> STATES =
      List.of("ok", "redirecting", "spilling", "tight", "full");

  static final List<Metric> METRICS = metrics();

  private SeatMetrics() {}

  private static List<Metric> metrics() {
    List<Metric> all = new ArrayList<>(Reading.metrics(PLAIN));
    all.addAll(Reading.metrics(GROUPS));
    all.addAll(Reading.metrics(TIERS));
    all.add(TIMES);
    all.add(STATE);
    all.add(LIMIT);
    return all;
  }

  private static Reading<SeatFigures> ofCounters(
      String name, String help, ToDoubleFunction<Statuses.Counters> from) {
    return new Reading<>(
        counter(name, help, SEAT), figures -> from.applyAsDouble(figures.status().counters()));
  }

  private static Reading<SeatFigures> ofStore(
      String name, String help, ToDoubleFunction<StoreStats.Counters> from) {
    return new Reading<>(
        counter(name, help, SEAT), figures -> from.applyAsDouble(figures.store().counters()));
  }

  private static Reading<SeatFigures> gaugeOf(
      String name, String help, ToDoubleFunction<SeatFigures> from) {
    return new Reading<>(gauge(name, help, SEAT), from);
  }

  private static Reading<List<Statuses.GroupStatus>> groups(
      String name, String help, ToDoubleFunction<List<Statuses.GroupStatus>> from) {
    return new Reading<>(gauge(name, help, SEAT), from);
  }

  private static Reading<Statuses.Tier> tier(
      String name, String help, ToDoubleFunction<Statuses.Tier> from) {
    return new Reading<>(gauge(name, help, TIER), from);
  }

  private static double sum(
      List<Statuses.GroupStatus> groups, ToDoubleFunction<Statuses.GroupStatus> of) {
    return groups.stream().mapToDouble(of).sum();
  }

  /** The word of a state, without what differs from moment to moment. */
  static String state(String sentence) {
    if (sentence.startsWith("memory")) return "tight";
    for (String word : STATES) {
      if (sentence.startsWith(word)) return word;
    }
    return "ok";
  }

  /** Shows a seat of a server. */
  static void show(Samples to, String server, String loop, SeatFigures figures) {
    Statuses.SeatStatus status = figures.status();
    String seat = status.hasPlace() ? Integer.toString(status.seat().number()) : "none";
    Reading.all(PLAIN, figures, to, server, seat);
    List<Statuses.GroupStatus> homes =
        status.groups().stream().filter(each -> each.role().equals(HOME)).toList();
    Reading.all(GROUPS, homes, to, server, seat);
    figures
        .latencies()
        .forEach(
            (operation, times) ->
                to.add(TIMES, times, server, seat, operation.name().toLowerCase(Locale.ROOT)));
    to.add(TIMES, figures.store().forces(), server, seat, "force");
    Reading.all(TIERS, status.memory(), to, server, seat, "memory");
    Reading.all(TIERS, status.ssd(), to, server, seat, "ssd");
    String now = state(status.state());
    for (String each : STATES) to.add(STATE, Reading.flag(each.equals(now)), server, seat, each);
    for (Statuses.LimitCount limit : status.limits()) {
      to.add(LIMIT, limit.reached(), server, loop, limit.limit());
    }
  }
}
