// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.audit;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A line of an audit log, as {@link AuditLog} writes it.
 *
 * @param component the manager, or the name of the server
 * @param user the user of the request; null if it named none
 * @param detail what it is about besides the instance; empty for nothing
 * @param refusal why it was refused; null if it was carried out
 * @param dropped how many lines this one stands for; 0 unless they could not be written
 * @param json the line itself
 */
public record AuditLine(
    Instant time,
    String component,
    String principal,
    @Nullable Long user,
    String peer,
    String action,
    String instance,
    String detail,
    @Nullable String refusal,
    long dropped,
    String json) {
  private static final String OK = "ok";

  /** Null if the text is no line of an audit log. */
  public static @Nullable AuditLine parse(String text) {
    Map<String, @Nullable Object> fields = FlatJson.read(text);
    if (fields == null) return null;
    Instant time = time(fields.get("time"));
    String component = text(fields, "component");
    String action = text(fields, "action");
    long dropped = fields.get("dropped") instanceof Long count ? count : 0;
    if (time == null || component.isEmpty() || (action.isEmpty() && dropped == 0)) return null;
    boolean refused = dropped == 0 && !text(fields, "outcome").equals(OK);
    return new AuditLine(
        time,
        component,
        text(fields, "principal"),
        fields.get("user") instanceof Long user ? user : null,
        text(fields, "peer"),
        action,
        text(fields, "instance"),
        text(fields, "detail"),
        refused ? text(fields, "sentence") : null,
        dropped,
        text);
  }

  private static @Nullable Instant time(@Nullable Object value) {
    if (!(value instanceof String text)) return null;
    try {
      return Instant.parse(text);
    } catch (DateTimeException e) {
      return null;
    }
  }

  private static String text(Map<String, @Nullable Object> fields, String key) {
    return fields.get(key) instanceof String text ? text : "";
  }
}
