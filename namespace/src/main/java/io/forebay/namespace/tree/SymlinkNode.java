package io.forebay.namespace.tree;

import io.forebay.wire.message.Names;

/** A symbolic link. */
final class SymlinkNode extends Node {
  static final int MODE = 0777;

  private final String target;
  int links;

  SymlinkNode(long number, String target) {
    super(number);
    this.target = target;
  }

  String target() {
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
