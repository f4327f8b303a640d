// SPDX-License-Identifier: Apache-2.0

package io.forebay.mount.fuse;

import java.util.ArrayList;
import java.util.List;

/**
 * The settings of a mount.
 *
 * @param source what {@code mount} and {@code df} show as the device
 * @param kind shown as the type, behind {@code fuse.}
 * @param allowOther whether users other than the mounting one may use it
 * @param checkPermissions whether the kernel checks modes and owners
 * @param writeback whether the kernel has a write-back cache and owns sizes and times
 * @param keptRequestsMax the maximum number of writes, of up to 1 MiB each, that are kept after
 *     their answers
 * @param options more for mount(8), such as {@code ro} or {@code nosuid}
 */
public record FuseSettings(
    String source,
    String kind,
    boolean allowOther,
    boolean checkPermissions,
    boolean writeback,
    int keptRequestsMax,
    List<String> options) {
  public FuseSettings {
    options = List.copyOf(options);
    if (keptRequestsMax < 1) throw new IllegalArgumentException("keptRequestsMax");
  }

  /** As libfuse takes them behind -o. */
  String mountOptions() {
    List<String> all = new ArrayList<>();
    all.add("fsname=" + escaped(source));
    all.add("subtype=" + escaped(kind));
    if (allowOther) all.add("allow_other");
    if (checkPermissions) all.add("default_permissions");
    all.addAll(options);
    return String.join(",", all);
  }

  private static String escaped(String text) {
    return text.replace("\\", "\\\\").replace(",", "\\,");
  }
}
