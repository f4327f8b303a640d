// SPDX-License-Identifier: Apache-2.0

package io.forebay.namespace.tree.node;

import io.forebay.wire.message.Names;

/** A symbolic link. */
public final class SymlinkNode extends Node {
  public static final int MODE = 0777;

  private final String target;
  public int links;

  public SymlinkNode(long number, String target) {
    super(number);
    this.target = target;
  }

  public String target() {
    return target;
  }

  @Override
  Names.Kind kind() {
    return Names.Kind.SYMLINK;
  }

  @Override
  int links() {
    return links;
  }

  @Override
  long sizeBytes() {
    return NameRules.utf8Bytes(target);
  }
}
