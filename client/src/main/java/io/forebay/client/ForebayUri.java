// SPDX-License-Identifier: Apache-2.0

package io.forebay.client;

import io.forebay.wire.Address;
import java.util.ArrayList;
import java.util.List;

/**
 * {@code forebay://host[:port][,host[:port]...][/instance[/path]]}: it may name several managers;
 * the client uses any of them.
 *
 * @param instance empty if none is named
 * @param path begins with a slash; the root if none is named
 */
public record ForebayUri(List<Address> managers, String instance, String path) {
  public static final String SCHEME = "forebay";
  public static final int PORT_DEFAULT = 7070;

  private static final String PREFIX = SCHEME + "://";

  public ForebayUri {
    managers = List.copyOf(managers);
  }

  /**
   * Reads a URI.
   *
   * @throws IllegalArgumentException if it is invalid; the message names it and shows a valid one
   */
  public static ForebayUri parse(String text) {
    if (!text.regionMatches(true, 0, PREFIX, 0, PREFIX.length())) throw malformed(text, "");
    String rest = text.substring(PREFIX.length());
    int slash = rest.indexOf('/');
    String authority = slash < 0 ? rest : rest.substring(0, slash);
    String behind = slash < 0 ? "" : rest.substring(slash + 1);
    int second = behind.indexOf('/');
    String instance = second < 0 ? behind : behind.substring(0, second);
    String path = second < 0 ? "/" : behind.substring(second);
    List<Address> managers = new ArrayList<>();
    for (String each : authority.split(",", -1)) {
      try {
        managers.add(address(each));
      } catch (IllegalArgumentException e) {
        throw malformed(text, ": " + e.getMessage());
      }
    }
    return new ForebayUri(managers, instance, path);
  }

  private static Address address(String text) {
    boolean bare = text.endsWith("]") || text.indexOf(':') < 0;
    return Address.parse(bare ? text + ":" + PORT_DEFAULT : text);
  }

  private static IllegalArgumentException malformed(String text, String why) {
    return new IllegalArgumentException(
        "'%s' is no address of a cluster%s; write one such as forebay://127.0.0.1:%d/scratch"
            .formatted(text, why, PORT_DEFAULT));
  }

  /** The managers as in a URI. */
  public String authority() {
    StringBuilder out = new StringBuilder();
    for (Address manager : managers) {
      if (!out.isEmpty()) out.append(',');
      out.append(manager);
    }
    return out.toString();
  }

  /** As it can be parsed again. */
  @Override
  public String toString() {
    return PREFIX + authority() + (instance.isEmpty() ? "" : "/" + instance + path);
  }
}
