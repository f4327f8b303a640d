// SPDX-License-Identifier: Apache-2.0

package io.forebay.job.datawarp;

import io.forebay.base.Json;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * The JSON documents of {@code dw_wlm_cli}. Slurm's plugin takes them for Python: it makes each
 * apostrophe a quotation mark, so no document has one. It reads ids as integers and crashes without
 * the outermost key.
 */
public final class WlmDocuments {
  private WlmDocuments() {}

  /** The answer of {@code pools}: sizes are in granules. */
  public static String pools(Registry registry) {
    return document("pools", registry.pools(), WlmDocuments::pool);
  }

  private static Map<String, Object> pool(Registry.Pool pool) {
    return object(
        "id",
        plain(pool.name()),
        "units",
        "bytes",
        "granularity",
        pool.granularityBytes(),
        "quantity",
        pool.granules(),
        "free",
        pool.freeGranules());
  }

  /** The answer of {@code show_sessions}. */
  public static String sessions(Registry registry) {
    return document("sessions", registry.sessions(), WlmDocuments::session);
  }

  private static Map<String, Object> session(Registry.Session session) {
    List<String> nodes = session.nodes().stream().map(WlmDocuments::plain).toList();
    return object(
        "id",
        session.id(),
        "token",
        plain(session.token()),
        "owner",
        session.owner(),
        "created",
        session.created(),
        "creator",
        plain(session.creator()),
        "expiration",
        session.expiration(),
        "expired",
        false,
        "links",
        object("client_nodes", nodes),
        "state",
        state(session.state()));
  }

  /** The answer of {@code show_instances}. */
  public static String instances(Registry registry) {
    return document("instances", registry.instances(), WlmDocuments::instance);
  }

  private static Map<String, Object> instance(Registry.Instance instance) {
    Registry.Limits limits = instance.limits();
    Map<String, Object> object =
        object(
            "id",
            instance.id(),
            "capacity",
            object("bytes", instance.bytes(), "nodes", instance.servers()),
            "links",
            object("session", instance.session(), "configurations", instance.configurations()),
            "label",
            plain(instance.label()),
            "public",
            instance.open(),
            "intact",
            instance.intact());
    object.put("created", instance.created());
    object.put("expiration", instance.expiration());
    object.put("expired", false);
    object.put(
        "limits",
        object(
            "write_window_length",
            limits.writeWindowSeconds(),
            "write_window_multiplier",
            limits.writeMultiple(),
            "file_size_limit",
            limits.fileBytesMax(),
            "files_create_threshold",
            limits.filesCreatedMax()));
    object.put("state", state(instance.state()));
    return object;
  }

  /** The answer of {@code show_configurations}. */
  public static String configurations(Registry registry) {
    return document(
        "configurations",
        registry.configurations(),
        configuration ->
            object(
                "id",
                configuration.id(),
                "type",
                plain(configuration.type()),
                "access_mode",
                plain(configuration.access()),
                "links",
                object("instance", configuration.instance()),
                "state",
                state(configuration.state())));
  }

  /** The answer of {@code real_size}. */
  public static String realSize(long bytes) {
    return Json.write(object("units", "bytes", "capacity", bytes)) + "\n";
  }

  private static Map<String, Object> state(Registry.State state) {
    return object(
        "actualized",
        state.ready(),
        "fuse_blown",
        state.failed(),
        "goal",
        state.ending() ? "destroy" : "create",
        "mixed",
        false,
        "transitioning",
        state.changing());
  }

  private static <T> String document(
      String key, List<T> values, Function<T, Map<String, Object>> toObject) {
    return Json.write(object(key, values.stream().map(toObject).toList())) + "\n";
  }

  /** Keys and values in turn; they are written in this order. */
  private static Map<String, Object> object(Object... keysAndValues) {
    Map<String, Object> object = new LinkedHashMap<>();
    for (int i = 0; i < keysAndValues.length; i += 2) {
      object.put((String) keysAndValues[i], keysAndValues[i + 1]);
    }
    return object;
  }

  private static String plain(String text) {
    return text.replace('\'', '_');
  }
}
