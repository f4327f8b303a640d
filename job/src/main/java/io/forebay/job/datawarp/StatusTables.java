// SPDX-License-Identifier: Apache-2.0

package io.forebay.job.datawarp;

import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The tables of {@code dwstat}. Scripts read them, so the columns are DataWarp's. */
public final class StatusTables {
  /** The tables, in the order in which they are shown. */
  public enum Kind {
    POOLS,
    SESSIONS,
    INSTANCES,
    CONFIGURATIONS,
    ACTIVATIONS,
    FRAGMENTS,
    NODES
  }

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss", Locale.ROOT);
  private static final String[] UNITS = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};

  private final Registry registry;
  private final boolean bytes;
  private final ZoneId zone;

  /**
   * Tables of what is known.
   *
   * @param bytes whether sizes are shown in bytes, instead of in units that people read
   * @param zone that times are shown in
   */
  public StatusTables(Registry registry, boolean bytes, ZoneId zone) {
    this.registry = registry;
    this.bytes = bytes;
    this.zone = zone;
  }

  /** One table: a line of heads, and a line for each object; or one line that there is none. */
  public String table(Kind kind) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(heads(kind));
    switch (kind) {
      case POOLS -> registry.pools().forEach(pool -> rows.add(pool(pool)));
      case SESSIONS -> registry.sessions().forEach(session -> rows.add(session(session)));
      case INSTANCES -> registry.instances().forEach(instance -> rows.add(instance(instance)));
      case CONFIGURATIONS ->
          registry.configurations().forEach(conf -> rows.add(configuration(conf)));
      case ACTIVATIONS -> registry.activations().forEach(activ -> rows.add(activation(activ)));
      case FRAGMENTS -> registry.fragments().forEach(fragment -> rows.add(fragment(fragment)));
      case NODES -> registry.nodes().forEach(node -> rows.add(node(node)));
    }
    if (rows.size() == 1) return "no " + kind.name().toLowerCase(Locale.ROOT) + "\n";
    return aligned(rows);
  }

  private static List<String> heads(Kind kind) {
    String heads =
        switch (kind) {
          case POOLS -> "pool units quantity free gran";
          case SESSIONS -> "sess state token creator owner created expiration nodes";
          case INSTANCES ->
              "inst state sess bytes nodes created expiration intact label public confs";
          case CONFIGURATIONS -> "conf state inst type access_type activs";
          case ACTIVATIONS -> "activ state sess conf nodes mount";
          case FRAGMENTS -> "frag state inst capacity node";
          case NODES -> "node pool online drain gran capacity insts activs";
        };
    return List.of(heads.split(" ", -1));
  }

  private List<String> pool(Registry.Pool pool) {
    return List.of(
        pool.name(),
        "bytes",
        size(pool.granules() * pool.granularityBytes()),
        size(pool.freeGranules() * pool.granularityBytes()),
        size(pool.granularityBytes()));
  }

  private List<String> session(Registry.Session session) {
    return List.of(
        number(session.id()),
        session.state().letters(),
        session.token(),
        session.creator(),
        number(session.owner()),
        created(session.created()),
        time(session.expiration()),
        number(session.nodes().size()));
  }

  private List<String> instance(Registry.Instance instance) {
    return List.of(
        number(instance.id()),
        instance.state().letters(),
        number(instance.session()),
        size(instance.bytes()),
        number(instance.servers()),
        created(instance.created()),
        time(instance.expiration()),
        word(instance.intact()),
        instance.label(),
        word(instance.open()),
        number(instance.configurations().size()));
  }

  private static List<String> configuration(Registry.Configuration configuration) {
    return List.of(
        number(configuration.id()),
        configuration.state().letters(),
        number(configuration.instance()),
        configuration.type(),
        configuration.access(),
        number(configuration.activations()));
  }

  private static List<String> activation(Registry.Activation activation) {
    return List.of(
        number(activation.id()),
        activation.state().letters(),
        number(activation.session()),
        number(activation.configuration()),
        number(activation.nodes()),
        activation.mount());
  }

  private List<String> fragment(Registry.Fragment fragment) {
    return List.of(
        number(fragment.id()),
        fragment.state().letters(),
        number(fragment.instance()),
        size(fragment.bytes()),
        fragment.node());
  }

  private List<String> node(Registry.Node node) {
    return List.of(
        node.name(),
        node.pool(),
        node.online() ? "online" : "offline",
        node.draining() ? "drain" : "fill",
        size(node.granularityBytes()),
        size(node.capacityBytes()),
        number(node.instances()),
        number(node.activations()));
  }

  private static String number(long number) {
    return Long.toString(number);
  }

  /** As Python writes it. */
  private static String word(boolean value) {
    return value ? "True" : "False";
  }

  /** It is known of jobs only. */
  private String created(long seconds) {
    return seconds == 0 ? "-" : time(seconds);
  }

  private String time(long seconds) {
    return seconds == 0 ? "never" : TIME.format(Instant.ofEpochSecond(seconds).atZone(zone));
  }

  private String size(long amount) {
    if (bytes) return Long.toString(amount);
    int unit = 0;
    double shown = amount;
    while (shown >= 1024 && unit < UNITS.length - 1) {
      shown /= 1024;
      unit++;
    }
    boolean whole = amount % (1L << (10 * unit)) == 0;
    return String.format(Locale.ROOT, whole ? "%.0f%s" : "%.2f%s", shown, UNITS[unit]);
  }

  /** Each column is as wide as its widest cell, and ends at the right. */
  private static String aligned(List<List<String>> rows) {
    int columns = rows.getFirst().size();
    int[] widths = new int[columns];
    for (List<String> row : rows) {
      for (int i = 0; i < columns; i++) widths[i] = Math.max(widths[i], row.get(i).length());
    }
    StringBuilder out = new StringBuilder();
    for (List<String> row : rows) {
      for (int i = 0; i < columns; i++) {
        if (i > 0) out.append(' ');
        out.append(" ".repeat(widths[i] - row.get(i).length())).append(row.get(i));
      }
      out.append('\n');
    }
    return out.toString();
  }
}
