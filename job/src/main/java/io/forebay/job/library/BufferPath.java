// SPDX-License-Identifier: Apache-2.0

package io.forebay.job.library;

import io.forebay.client.ForebayUri;
import io.forebay.job.library.MountedPaths.Mounted;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * A path in a mounted instance.
 *
 * @param uri the address of the instance, without a path
 * @param path in the instance; begins with a slash, and has none at its end unless it is the root
 * @param mounted where the instance is mounted
 */
record BufferPath(String uri, String path, Mounted mounted) {
  /** Such that the path fits into the key of a pair. */
  private static final int PATH_BYTES_MAX = 900;

  /** Finds the instance of a path as a program sees it. */
  static BufferPath of(String visible, MountedPaths mounts) throws IOException, CallFailed {
    List<String> names = names(visible);
    String whole = "/" + String.join("/", names);
    Mounted mounted = mounts.find(whole);
    if (mounted == null) {
      throw new CallFailed(
          ErrorNumbers.EINVAL, "'%s' is in no mounted instance".formatted(visible));
    }
    ForebayUri uri = ForebayUri.parse(mounted.uri());
    List<String> inside = new ArrayList<>(names(uri.path()));
    inside.addAll(names.subList(names(mounted.directory()).size(), names.size()));
    String path = "/" + String.join("/", inside);
    if (path.getBytes(StandardCharsets.UTF_8).length > PATH_BYTES_MAX) {
      throw new CallFailed(
          ErrorNumbers.ENAMETOOLONG, "a path of more than %d bytes".formatted(PATH_BYTES_MAX));
    }
    return new BufferPath(
        new ForebayUri(uri.managers(), uri.instance(), "/").toString(), path, mounted);
  }

  private static List<String> names(String path) throws CallFailed {
    List<String> names = new ArrayList<>();
    for (String name : path.split("/", -1)) {
      if (name.isEmpty() || name.equals(".")) continue;
      if (name.equals("..")) {
        throw new CallFailed(
            ErrorNumbers.EINVAL, "'%s' has '..' behind what does not exist".formatted(path));
      }
      names.add(name);
    }
    return names;
  }

  /** Whether both are in one tree of files. */
  boolean isInTreeOf(BufferPath other) {
    return uri.equals(other.uri) && mounted.privateTree() == other.mounted.privateTree();
  }

  /** A path of the same instance as a program sees it. */
  String visible(String inside) {
    String root = ForebayUri.parse(mounted.uri()).path();
    String rest = root.equals("/") ? inside : inside.substring(root.length());
    return mounted.directory().equals("/") ? rest : mounted.directory() + rest;
  }
}
