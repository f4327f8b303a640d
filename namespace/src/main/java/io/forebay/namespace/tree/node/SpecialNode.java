// SPDX-License-Identifier: Apache-2.0

package io.forebay.namespace.tree.node;

import io.forebay.base.fields.MalformedFields;
import io.forebay.wire.message.Names;
import java.util.List;

/**
 * A FIFO, a socket or a device: a name with a mode and an owner. The kernels that mount the
 * instance implement its function, each for its own host, so it has no content and is not drained.
 */
public final class SpecialNode extends Node {
  /** The kinds by their number in a snapshot, from 1 on; numbers are never reused. */
  private static final List<Names.Kind> KINDS =
      List.of(
          Names.Kind.FIFO, Names.Kind.SOCKET, Names.Kind.CHARACTER_DEVICE, Names.Kind.BLOCK_DEVICE);

  private final Names.Kind kind;
  private final long device;
  public int links;

  public SpecialNode(long number, Names.Kind kind, long device) {
    super(number);
    this.kind = kind;
    this.device = device;
  }

  public static Names.Kind kindOf(int code) throws MalformedFields {
    if (code < 1 || code > KINDS.size()) {
      throw new MalformedFields("no special file is of kind " + code);
    }
    return KINDS.get(code - 1);
  }

  public int kindCode() {
    return KINDS.indexOf(kind) + 1;
  }

  @Override
  public Names.Kind kind() {
    return kind;
  }

  @Override
  int links() {
    return links;
  }

  @Override
  long sizeBytes() {
    return 0;
  }

  @Override
  public long device() {
    return device;
  }
}
