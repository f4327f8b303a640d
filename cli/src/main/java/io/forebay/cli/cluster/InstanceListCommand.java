// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.cluster;

import io.forebay.base.ByteSize;
import io.forebay.base.Json;
import io.forebay.base.SeatId;
import io.forebay.cli.ending.EndWatch;
import io.forebay.cli.ending.ExpiryTime;
import io.forebay.cli.remote.RemoteOptions;
import io.forebay.cli.terminal.Brief;
import io.forebay.cli.terminal.Table;
import io.forebay.client.Cluster;
import io.forebay.client.file.Usage;
import io.forebay.ring.Instance;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Lists the instances of a cluster. */
@Command(name = "list", description = "List the instances.")
final class InstanceListCommand implements Callable<Integer> {
  private static final int NAME_CHARS_MAX = 18;
  private static final int BACKING_CHARS_MAX = 27;
  private static final int POLICY_CHARS_MAX = 20;

  @Spec private @Nullable CommandSpec spec;
  @Mixin private RemoteOptions remote = new RemoteOptions();

  @Option(names = "--json", description = "Print everything as JSON.")
  private boolean json;

  @Override
  public Integer call() throws IOException {
    if (spec == null) throw new IllegalStateException("run outside of a command line");
    PrintWriter out = spec.commandLine().getOut();
    try (Cluster cluster = remote.cluster()) {
      List<Instance> instances = cluster.instances();
      if (json) out.println(Json.write(instances.stream().map(this::listed).toList()));
      else print(instances, out);
    }
    out.flush();
    return 0;
  }

  private void print(List<Instance> instances, PrintWriter out) {
    if (instances.isEmpty()) {
      out.println("there is none; make one with 'forebay instance create NAME'");
      return;
    }
    Table table =
        new Table(
            7,
            "name",
            "owner",
            "lifetime",
            "access",
            "ack",
            "degraded",
            "placement",
            "copies",
            "capacity",
            "used",
            "pool");
    for (Instance instance : instances) {
      table.row(
          instance.name(),
          Integer.toString(instance.owner()),
          word(instance.lifetime()),
          word(instance.access()),
          instance.forced() ? "forced" : "replicated",
          word(instance.whenDegraded()),
          word(instance.placement().kind()),
          Integer.toString(instance.copies()),
          instance.capacityBytes() == 0 ? "-" : ByteSize.format(instance.capacityBytes()),
          InstanceFill.used(InstanceFill.of(remote, instance)),
          instance.allocation().pool().isEmpty() ? "-" : instance.allocation().pool());
    }
    table.wordsLast().print(out);
    for (Instance instance : instances) {
      if (instance.granulesShort() > 0) out.println(shortage(instance));
    }
    List<Instance> drained =
        instances.stream().filter(instance -> !instance.drain().isNone()).toList();
    if (!drained.isEmpty()) printStores(drained, out);
    ExpiryTime.sentences(instances, Instant.now())
        .forEach(sentence -> out.println("\n" + sentence));
    EndWatch.sentences(remote, instances).forEach(sentence -> out.println("\n" + sentence));
  }

  private static void printStores(List<Instance> drained, PrintWriter out) {
    out.println();
    Table stores = new Table(5, "name", "drained to", "when", "kept", "over it");
    for (Instance instance : drained) {
      stores.row(
          Brief.end(instance.name(), NAME_CHARS_MAX),
          Brief.end(instance.drain().backing(), BACKING_CHARS_MAX),
          Brief.start(when(instance), POLICY_CHARS_MAX),
          Brief.start(kept(instance), POLICY_CHARS_MAX),
          instance.drain().over() ? "yes" : "-");
    }
    stores.print(out);
  }

  /** What is missing since servers are gone. */
  static String shortage(Instance instance) {
    long granuleBytes = instance.allocation().granuleBytes();
    return "'%s' is short: servers are gone, and %s of its %s are kept free for it; start them, or add servers to pool '%s'"
        .formatted(
            instance.name(),
            ByteSize.format(instance.allocation().granules() * granuleBytes),
            ByteSize.format(instance.capacityBytes()),
            instance.allocation().pool());
  }

  private static String when(Instance instance) {
    return instance.drain().ending() ? "ending" : instance.drain().policy();
  }

  private static String kept(Instance instance) {
    return instance.drain().keep().isEmpty() ? "-" : instance.drain().keep();
  }

  private Map<String, @Nullable Object> listed(Instance instance) {
    Map<String, @Nullable Object> json = json(instance);
    Usage usage = InstanceFill.of(remote, instance);
    json.put("usedBytes", usage == null ? null : usage.usedBytes());
    return json;
  }

  static Map<String, @Nullable Object> json(Instance instance) {
    Map<String, @Nullable Object> json = new LinkedHashMap<>();
    json.put("name", instance.name());
    json.put("id", instance.id());
    json.put("owner", instance.owner());
    json.put("lifetime", word(instance.lifetime()));
    json.put("access", word(instance.access()));
    json.put("capacityBytes", instance.capacityBytes());
    json.put("pool", instance.allocation().pool().isEmpty() ? null : instance.allocation().pool());
    json.put("granularity", instance.allocation().granuleBytes());
    json.put("granules", instance.allocation().granules());
    json.put("short", instance.granulesShort());
    json.put("seats", instance.seats().stream().map(SeatId::number).toList());
    json.put("copies", instance.copies());
    json.put("ack", instance.forced() ? "forced" : "replicated");
    json.put("whenDegraded", word(instance.whenDegraded()));
    json.put("placement", word(instance.placement().kind()));
    json.put("stripeBytes", instance.placement().stripeBytes());
    json.put("stripeWidth", instance.placement().stripeWidth());
    boolean drained = !instance.drain().isNone();
    json.put("backing", drained ? instance.drain().backing() : null);
    json.put("drain", drained ? instance.drain().policy() : null);
    json.put("keep", drained && !instance.drain().keep().isEmpty() ? kept(instance) : null);
    json.put("ending", instance.drain().ending());
    json.put("over", instance.drain().over());
    json.put("permit", word(instance.tenancy().permit()));
    json.put("root", word(instance.tenancy().root()));
    json.put("accessEpoch", instance.tenancy().accessEpoch());
    json.put("expires", ExpiryTime.json(instance));
    json.put("protection", instance.protection().isEmpty() ? null : instance.protection());
    return json;
  }

  private static String word(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }
}
