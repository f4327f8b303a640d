// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.metrics;

import io.forebay.metrics.Registry;
import io.forebay.metrics.Source;
import io.forebay.server.StartFailed;
import io.forebay.server.metrics.MetricsOptions;
import io.forebay.server.metrics.MetricsService;
import io.forebay.wire.Address;
import io.forebay.wire.tls.TlsFiles;
import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The option of commands that run until they are ended, and tell metrics meanwhile. */
public final class DoorOptions {
  private static final String NONE = "none";

  @Spec(Spec.Target.MIXEE)
  private @Nullable CommandSpec spec;

  @Option(
      names = "--metrics-listen",
      paramLabel = "HOST:PORT|none",
      description = "Where monitoring systems read metrics over HTTP: see docs/monitoring.md.")
  private @Nullable String listen;

  @Option(
      names = "--metrics-users",
      paramLabel = "USER",
      split = ",",
      description = "Users whose certificates let them read metrics over TLS.")
  private Set<Integer> users = new LinkedHashSet<>();

  /**
   * Where the process tells metrics.
   *
   * @param usual the address unless one is given; null for none
   */
  public MetricsOptions options(Address.@Nullable Inet usual) {
    String given = listen;
    if (given == null && usual != null) return new MetricsOptions(usual, true, users);
    if (given == null || given.equals(NONE)) return MetricsOptions.OFF;
    Address.Inet address = parse(given);
    if (address != null) return new MetricsOptions(address, false, users);
    if (spec == null) throw new IllegalStateException("run outside of a command line");
    throw new ParameterException(
        spec.commandLine(),
        "--metrics-listen is '%s'; give HOST:PORT, such as 127.0.0.1:7092, or none"
            .formatted(given));
  }

  private static Address.@Nullable Inet parse(String text) {
    try {
      return Address.parse(text) instanceof Address.Inet address ? address : null;
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  /** Opens the door of a process; null if it has none. */
  public static @Nullable MetricsService open(
      String process, MetricsOptions options, @Nullable TlsFiles tls, Source source)
      throws StartFailed {
    Registry registry = new Registry();
    registry.add(source);
    try {
      return MetricsService.open(process, options, false, tls, registry);
    } catch (IOException e) {
      throw new StartFailed(String.valueOf(e.getMessage()), e);
    }
  }
}
