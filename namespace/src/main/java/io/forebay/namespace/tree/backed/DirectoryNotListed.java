// SPDX-License-Identifier: Apache-2.0

package io.forebay.namespace.tree.backed;

import io.forebay.namespace.tree.node.DirectoryNode;
import io.forebay.namespace.tree.outcome.Refused;
import io.forebay.wire.message.ErrorCode;

/** The names of a directory are needed, and the store has not been listed there yet. */
public final class DirectoryNotListed extends Refused {
  private static final long serialVersionUID = 1;

  private final long directory;

  DirectoryNotListed(DirectoryNode directory) {
    super(
        ErrorCode.UNAVAILABLE,
        "'" + directory.path() + "/' of the backing store has not been looked into yet");
    this.directory = directory.number();
  }

  public long directory() {
    return directory;
  }
}
