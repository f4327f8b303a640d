// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.remote;

import io.forebay.cli.terminal.WarningLines;
import io.forebay.client.Cluster;
import io.forebay.client.Forebay;
import io.forebay.client.ForebayOptions;
import io.forebay.client.ForebayUri;
import io.forebay.wire.Address;
import io.forebay.wire.message.Names;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The cluster and instance of a command, unless its arguments name them. */
public abstract class ClusterOptions {
  /** The environment variable with the default cluster and instance. */
  public static final String VARIABLE = "FOREBAY_URI";

  @Spec(Spec.Target.MIXEE)
  private @Nullable CommandSpec spec;

  @Option(
      names = {"-u", "--uri"},
      paramLabel = "URI",
      description = "The cluster and instance (default: the variable " + VARIABLE + ").")
  private @Nullable String uri;

  /** Shared by all connections of the command. */
  private @Nullable Consumer<String> warnings;

  /** The maximum time of a request to the cluster. */
  abstract Duration timeout();

  /** Connects to the cluster, without an instance. */
  public Cluster cluster() throws IOException {
    return Cluster.connect(new ForebayUri(managers(), "", "/").toString(), options());
  }

  /** Where the cluster's managers are. */
  public List<Address> managers() {
    return base().managers();
  }

  /** Connects to the instance that no argument names. */
  public Forebay instance() throws IOException {
    return connect(path("/"));
  }

  /** Connects to the instance of that name, or to the default one. */
  public Forebay instance(@Nullable String name) throws IOException {
    if (name == null) return instance();
    return Forebay.connect(instanceUri(name), options());
  }

  /** The address of the instance of that name. */
  public String instanceUri(String name) {
    return new ForebayUri(managers(), name, "/").toString();
  }

  /** Connects to the instance of a path. */
  public Forebay connect(RemotePath path) throws IOException {
    return Forebay.connect(path.instanceUri(), options());
  }

  /** How clients behave. */
  public ForebayOptions options() {
    return ForebayOptions.defaults().withTimeout(timeout()).withWarnings(warnings());
  }

  private Consumer<String> warnings() {
    if (spec == null) throw new IllegalStateException("run outside of a command line");
    if (warnings == null) warnings = WarningLines.on(spec.commandLine().getErr());
    return warnings;
  }

  /**
   * What an argument means: a whole URI, or a path in the instance that no argument names, with or
   * without {@code forebay:} in front.
   */
  public RemotePath path(String text) {
    if (text.contains("://")) return whole(text);
    ForebayUri base = base();
    if (base.instance().isEmpty()) {
      throw wrong(
          "'%s' names a cluster but no instance; write %s/NAME ('forebay instance list' shows which)"
              .formatted(base, base));
    }
    return RemotePath.of(base, RemotePath.withoutScheme(text));
  }

  /** The paths of several arguments, grouped by instance. */
  public Map<String, List<RemotePath>> byInstance(List<String> texts) {
    Map<String, List<RemotePath>> paths = new LinkedHashMap<>();
    for (String text : texts) {
      RemotePath path = path(text);
      paths.computeIfAbsent(path.instanceUri(), uri -> new ArrayList<>()).add(path);
    }
    return paths;
  }

  private RemotePath whole(String text) {
    ForebayUri parsed = parse(text);
    if (parsed.instance().isEmpty()) {
      throw wrong("'" + text + "' names no instance; write " + parsed + "/INSTANCE/PATH");
    }
    return RemotePath.of(parsed, "");
  }

  /** Checks a key. */
  public String key(String text) {
    int bytes = text.getBytes(StandardCharsets.UTF_8).length;
    if (bytes == 0 || bytes > Names.KEY_BYTES_MAX) {
      throw wrong(
          "a key of %d bytes is not allowed; give 1 to %d bytes"
              .formatted(bytes, Names.KEY_BYTES_MAX));
    }
    return text;
  }

  private ForebayUri base() {
    String text = uri != null ? uri : System.getenv(VARIABLE);
    if (text == null || text.isBlank()) {
      throw wrong(
          "no cluster is named; give --uri forebay://HOST:PORT/INSTANCE or set "
              + VARIABLE
              + " to it");
    }
    return parse(text.strip());
  }

  private ForebayUri parse(String text) {
    try {
      return ForebayUri.parse(text);
    } catch (IllegalArgumentException e) {
      throw wrong(String.valueOf(e.getMessage()));
    }
  }

  /** The error for an invalid argument. */
  public final ParameterException wrong(String sentence) {
    if (spec == null) throw new IllegalStateException("run outside of a command line");
    return new ParameterException(spec.commandLine(), sentence);
  }
}
