// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.remote;

import io.forebay.client.ForebayUri;
import java.util.ArrayDeque;
import java.util.Locale;

/**
 * A path in an instance of a cluster.
 *
 * @param instanceUri the cluster and the instance
 * @param path absolute, without {@code .} and {@code ..}, and without a slash at its end
 */
public record RemotePath(String instanceUri, String path) {
  private static final String SCHEME = ForebayUri.SCHEME + ":";

  /** Whether an argument names something in a cluster and not on this machine. */
  public static boolean isRemote(String text) {
    return text.toLowerCase(Locale.ROOT).startsWith(SCHEME);
  }

  static String withoutScheme(String text) {
    return isRemote(text) ? text.substring(SCHEME.length()) : text;
  }

  /** The path behind a URI's own. */
  static RemotePath of(ForebayUri base, String more) {
    String whole = base.path() + "/" + more;
    return new RemotePath(
        new ForebayUri(base.managers(), base.instance(), "").toString(), normal(whole));
  }

  /** A name below this path. */
  public RemotePath below(String name) {
    return new RemotePath(instanceUri, normal(path + "/" + name));
  }

  /** The last part; empty for the root. */
  public String name() {
    return path.substring(path.lastIndexOf('/') + 1);
  }

  public boolean isRoot() {
    return path.equals("/");
  }

  private static String normal(String path) {
    ArrayDeque<String> parts = new ArrayDeque<>();
    for (String part : path.split("/", -1)) {
      if (part.isEmpty() || part.equals(".")) continue;
      if (part.equals("..")) parts.pollLast();
      else parts.addLast(part);
    }
    return "/" + String.join("/", parts);
  }

  @Override
  public String toString() {
    return instanceUri + path;
  }
}
