// SPDX-License-Identifier: Apache-2.0

package io.forebay.namespace.tree.backed;

import java.util.List;

/**
 * Small files that are written to the store together, by one attempt (P21). Each file has an
 * attempt of its own that refers to the pack. A file without that attempt has been changed since.
 *
 * @param order its number, in the same sequence as the changes of the store
 * @param handle the store's handle of the attempt; empty until it is known to have begun
 * @param naming whether all is written and only its name is missing
 * @param files in the order of the pack
 * @param targets their names when it began
 * @param sizes their sizes when it began
 */
public record OpenPack(
    long order,
    String handle,
    boolean naming,
    List<Long> files,
    List<String> targets,
    List<Long> sizes) {
  public OpenPack {
    files = List.copyOf(files);
    targets = List.copyOf(targets);
    sizes = List.copyOf(sizes);
  }

  public OpenPack withHandle(String given) {
    return new OpenPack(order, given, naming, files, targets, sizes);
  }

  public OpenPack asNaming() {
    return new OpenPack(order, handle, true, files, targets, sizes);
  }
}
