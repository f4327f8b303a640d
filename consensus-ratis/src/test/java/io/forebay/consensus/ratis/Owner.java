// SPDX-License-Identifier: Apache-2.0

package io.forebay.consensus.ratis;

import io.forebay.base.Bytes;
import io.forebay.seat.consensus.Consensus;
import io.forebay.seat.consensus.ConsensusGroup;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Writes down what a node is told. */
final class Owner implements Consensus.Machine, Consensus.Leadership, ConsensusGroup.MembersChange {
  final List<String> applied = new ArrayList<>();
  final List<Consensus.Outcome> outcomes = new ArrayList<>();
  final List<String> changes = new ArrayList<>();
  boolean leading;
  int restores;
  int proposed;

  @Override
  public void apply(long index, Bytes command) {
    applied.add(text(command));
  }

  @Override
  public Bytes snapshot() {
    return bytes(String.join(" ", applied));
  }

  @Override
  public void restore(Bytes snapshot) {
    restores++;
    applied.clear();
    applied.addAll(List.of(text(snapshot).split(" ", -1)));
  }

  @Override
  public void leading() {
    leading = true;
  }

  @Override
  public void lost(String reason) {
    leading = false;
  }

  @Override
  public void changed() {
    changes.add("changed");
  }

  @Override
  public void failed(String reason) {
    changes.add(reason);
  }

  /** Whether all its proposals have ended. */
  boolean isIdle() {
    return outcomes.size() == proposed;
  }

  static Bytes bytes(String text) {
    return Bytes.copyOf(text.getBytes(StandardCharsets.UTF_8));
  }

  private static String text(Bytes bytes) {
    return StandardCharsets.UTF_8.decode(bytes.asBuffer()).toString();
  }
}
