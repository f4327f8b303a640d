// SPDX-License-Identifier: Apache-2.0

package io.forebay.namespace.tree.backed;

import java.util.List;

/**
 * Small files that are written to the store together, by one attempt (P21). The files have attempts
 * of their own that say so; one that has none any more, or another, has been changed since.
 *
 * @param order its number, from the same row as the changes of the store
 * @param handle what the store calls the attempt; empty as long as it is not known to have begun
 * @param naming whether all is written and only its name is missing
 * @param files in the order in which they are in it
 * @param targets the names that they had when it began
 * @param sizes how long they were then
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
