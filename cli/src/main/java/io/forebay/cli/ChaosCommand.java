// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli;

import io.forebay.base.ByteSize;
import io.forebay.base.Json;
import io.forebay.base.MonotonicClock;
import io.forebay.cli.chaos.Chaos;
import io.forebay.cli.chaos.SmallDisks;
import io.forebay.cli.terminal.CommandFailed;
import io.forebay.cli.terminal.Progress;
import io.forebay.cli.terminal.SeededRun;
import io.forebay.ring.PlacementSpec;
import io.forebay.server.StartFailed;
import io.forebay.server.ring.LocalRing;
import io.forebay.server.ring.RingPlace;
import io.forebay.server.ring.RingShape;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Kills and stops real servers under load, and compares every acknowledged byte. */
@Command(
    name = "chaos",
    description =
        "Kill and stop the processes of a ring at random while clients write, then compare every"
            + " acknowledged byte.",
    footer = {
      "",
      "Disks are filled too if this process may mount file systems, which needs root.",
      "The exit code is 0 only if nothing acknowledged is lost or wrong."
    })
final class ChaosCommand implements Callable<Integer> {
  private static final int SEGMENT_BYTES = 8 << 20;
  private static final long MEMORY_BYTES = 192L << 20;
  private static final long SSD_BYTES = 1L << 30;
  private static final int SERVERS_MAX = 16;

  /** A server that is away for longer is replaced permanently, which is another fault. */
  private static final int AWAY_SECONDS_MAX = 10;

  private static final int SECOND_MILLIS = 1000;
  private static final int LIFETIME_SECONDS_MIN = 20;
  private static final int LIFETIME_SECONDS_MAX = 3600;

  @Spec private @Nullable CommandSpec spec;

  @Option(
      names = "--servers",
      paramLabel = "N",
      defaultValue = "4",
      description = "How many servers (default: ${DEFAULT-VALUE}).")
  private int servers;

  @Option(
      names = "--copies",
      paramLabel = "K",
      defaultValue = "2",
      description = "How many of them keep each byte (default: ${DEFAULT-VALUE}).")
  private int copies;

  @Option(
      names = "--managers",
      paramLabel = "M",
      defaultValue = "1",
      description = {
        "How many managers, 1, 3 or 5 (default: ${DEFAULT-VALUE}). With several, every other fault is",
        "one of theirs: the leader is killed or paused, all are killed, one loses its directory."
      })
  private int managers;

  @Mixin private SeededRun run = new SeededRun();

  @Option(
      names = "--faults",
      paramLabel = "N",
      description = "End after this many faults instead of after a time.")
  private @Nullable Integer faults;

  @Option(
      names = "--kills",
      paramLabel = "N",
      description = "End after this many kills of servers instead of after a time.")
  private @Nullable Integer kills;

  @Option(
      names = "--away",
      paramLabel = "SECONDS",
      defaultValue = "3.5",
      description = "How long a process stays away at most (default: ${DEFAULT-VALUE}).")
  private double awaySeconds;

  @Option(
      names = "--tls",
      description = {
        "Use TLS with certificates of the cluster's own CA, and let faults of certificates happen",
        "too: revoked servers, certificates that expire, renewals without a manager."
      })
  private boolean tls;

  @Option(
      names = "--certificate-lifetime",
      paramLabel = "SECONDS",
      defaultValue = "60",
      description = "With --tls, how long certificates last (default: ${DEFAULT-VALUE}).")
  private int lifetimeSeconds;

  @Option(
      names = "--dir",
      paramLabel = "DIR",
      description =
          "Put the disk's part into a temporary folder there (default: ${java.io.tmpdir}).")
  private Path directory = Path.of(System.getProperty("java.io.tmpdir"));

  @Option(names = "--json", description = "Print JSON, and nothing else.")
  private boolean json;

  @Override
  public Integer call() throws IOException {
    if (spec == null) throw new IllegalStateException("run outside of a command line");
    requireSense(spec);
    PrintWriter out = spec.commandLine().getOut();
    long chosen = run.chooseSeed();
    Chaos.Result result;
    try (RingPlace place = RingPlace.make("chaos", directory.toAbsolutePath(), null)) {
      RingShape shape =
          new RingShape(
              servers,
              copies,
              SEGMENT_BYTES,
              MEMORY_BYTES,
              SSD_BYTES,
              new PlacementSpec(PlacementSpec.Kind.KETAMA, PlacementSpec.STRIPE_BYTES_DEFAULT, 0));
      if (managers > 1) shape = shape.withManagers(managers);
      if (tls) shape = shape.withCertificates(Duration.ofSeconds(lifetimeSeconds));
      LocalRing ring = place.hold(new LocalRing(shape, place.directory(), place.memory()));
      SmallDisks disks = SmallDisks.mount(place.directory(), servers, SSD_BYTES);
      if (disks != null) place.closeAfterRing(disks);
      result = run(ring, disks, chosen, spec.commandLine().getErr());
    } catch (StartFailed e) {
      throw new CommandFailed(String.valueOf(e.getMessage()), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CommandFailed("interrupted", e);
    }
    if (json) out.println(Json.write(tree(result, chosen)));
    else print(out, result, chosen);
    out.flush();
    return result.sound() ? 0 : 1;
  }

  private void requireSense(CommandSpec command) {
    if (servers < 1 || servers > SERVERS_MAX || copies < 1 || copies > servers) {
      throw new ParameterException(
          command.commandLine(),
          "%d copies on %d servers: there can be 1 to %d servers, and no more copies than servers"
              .formatted(copies, servers, SERVERS_MAX));
    }
    if (managers != 1 && managers != 3 && managers != 5) {
      throw new ParameterException(command.commandLine(), "--managers must be 1, 3 or 5");
    }
    if (!(awaySeconds > 0) || awaySeconds > AWAY_SECONDS_MAX) {
      throw new ParameterException(
          command.commandLine(), "--away must be more than 0 and at most " + AWAY_SECONDS_MAX);
    }
    if (lifetimeSeconds < LIFETIME_SECONDS_MIN || lifetimeSeconds > LIFETIME_SECONDS_MAX) {
      throw new ParameterException(
          command.commandLine(),
          "--certificate-lifetime must be from %d to %d: a server renews within a third of it"
              .formatted(LIFETIME_SECONDS_MIN, LIFETIME_SECONDS_MAX));
    }
    run.requireSense(command.commandLine());
    if ((faults != null && faults < 0) || (kills != null && kills < 0)) {
      throw new ParameterException(command.commandLine(), "--faults and --kills must be 0 or more");
    }
  }

  private Chaos.Result run(LocalRing ring, @Nullable SmallDisks disks, long chosen, PrintWriter err)
      throws IOException, StartFailed, InterruptedException {
    MonotonicClock clock = MonotonicClock.system();
    try (Progress progress = Progress.of("chaos", err)) {
      ring.start();
      long startNanos = clock.nanos();
      long nanosMax = run.nanos();
      return new Chaos(ring, disks, servers, (int) (awaySeconds * SECOND_MILLIS), chosen)
          .run(
              (faultsDone, killsDone) -> {
                long passed = Math.min(clock.nanos() - startNanos, nanosMax);
                long done = kills != null ? killsDone : faults != null ? faultsDone : passed;
                long total = kills != null ? kills : faults != null ? faults : nanosMax;
                String detail = faultsDone + (faultsDone == 1 ? " fault" : " faults");
                progress.update(done, Math.max(1, total), detail);
                return done < total;
              });
    } catch (IOException | StartFailed e) {
      ring.lastLogLines().forEach(err::println);
      throw e;
    }
  }

  private static void print(PrintWriter out, Chaos.Result result, long seed) {
    out.printf("seed         %d%n", seed);
    out.printf(
        "operations   %d, of which %d failed%n", result.operations(), result.failedOperations());
    out.printf(
        "waits        the longest of a writer at a fault: %.2f s (median), %.2f s (p99), %.2f s%n",
        result.waitSeconds(0.5), result.waitSeconds(0.99), result.waitSeconds(1));
    out.printf("verified     %s%n", ByteSize.format(result.verifiedBytes()));
    Chaos.CertificateReport certificates = result.certificates();
    if (certificates != null) {
      out.printf(
          "certificates %d issued by tokens, %d renewed%n",
          certificates.issued(), certificates.renewed());
      out.printf(
          "revoked      a server was out of the ring after %.2f s (median), %.2f s (longest)%n",
          certificates.outSeconds(0.5), certificates.outSeconds(1));
    }
    out.printf(
        "maps         of %d epochs; %d differ from another one of their epoch%n",
        result.maps().epochs(), result.maps().conflicts().size());
    for (String conflict : result.maps().conflicts()) out.printf("  %s%n", conflict);
    for (Chaos.Fault fault : Chaos.Fault.values()) {
      if (!isShown(fault, result)) continue;
      out.printf("%d %s, ", result.faults().getOrDefault(fault, 0), fault.words);
    }
    out.printf(
        "%s acknowledged, %d bytes lost, %d wrong%n",
        ByteSize.format(result.acknowledgedBytes()), result.lostBytes(), result.wrongBytes());
  }

  /** Faults that such a ring cannot have are left out. */
  private static boolean isShown(Chaos.Fault fault, Chaos.Result result) {
    if (fault.isOfCertificates()) return result.certificates() != null;
    return !fault.isOfSeveralManagers() || result.faults().containsKey(fault);
  }

  private static Map<String, Object> tree(Chaos.Result result, long seed) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("seed", seed);
    Chaos.CertificateReport certificates = result.certificates();
    for (Chaos.Fault fault : Chaos.Fault.values()) {
      if (!isShown(fault, result)) continue;
      tree.put(fault.key, result.faults().getOrDefault(fault, 0));
    }
    if (certificates != null) {
      tree.put("certificatesIssued", certificates.issued());
      tree.put("certificatesRenewed", certificates.renewed());
      tree.put("revokedOutSecondsMedian", certificates.outSeconds(0.5));
      tree.put("revokedOutSecondsMax", certificates.outSeconds(1));
    }
    tree.put("operations", result.operations());
    tree.put("failedOperations", result.failedOperations());
    tree.put("waitSecondsMedian", result.waitSeconds(0.5));
    tree.put("waitSecondsP99", result.waitSeconds(0.99));
    tree.put("waitSecondsMax", result.waitSeconds(1));
    tree.put("acknowledgedBytes", result.acknowledgedBytes());
    tree.put("verifiedBytes", result.verifiedBytes());
    tree.put("lostBytes", result.lostBytes());
    tree.put("wrongBytes", result.wrongBytes());
    tree.put("mapEpochs", result.maps().epochs());
    tree.put("mapConflicts", result.maps().conflicts());
    return tree;
  }
}
