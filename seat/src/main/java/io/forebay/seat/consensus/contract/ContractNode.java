// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.consensus.contract;

import static io.forebay.seat.consensus.contract.BrokenPromise.require;

import io.forebay.base.Bytes;
import io.forebay.seat.consensus.Consensus;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** The owner of one process of a node: writes down what it is told, and checks when. */
final class ContractNode implements Consensus.Machine, Consensus.Leadership {
  /** Commands in the order in which they were applied, those of snapshots among them. */
  final List<String> applied = new ArrayList<>();

  private final ContractRun run;
  private final int number;
  boolean leading;
  int restores;

  /** The leader when it was told last that there may be another one; empty if it knew none. */
  String follows = "";

  /** Its proposals that are under way. */
  int undecided;

  private long lastIndex = -1;

  ContractNode(ContractRun run, int number) {
    this.run = run;
    this.number = number;
  }

  @Override
  public void apply(long index, Bytes command) {
    run.requireOnLoop("apply");
    require(index > lastIndex, "index " + index + " was applied after " + lastIndex);
    lastIndex = index;
    applied.add(text(command));
  }

  @Override
  public Bytes snapshot() {
    run.requireOnLoop("snapshot");
    return bytes(String.join(" ", applied));
  }

  @Override
  public void restore(Bytes snapshot) {
    run.requireOnLoop("restore");
    applied.clear();
    restores++;
    String text = text(snapshot);
    if (!text.isEmpty()) applied.addAll(List.of(text.split(" ", -1)));
  }

  @Override
  public void leading() {
    run.requireOnLoop("leading");
    require(!leading, "node " + number + " was told twice in a row that it leads");
    leading = true;
    run.led(number);
  }

  @Override
  public void lost(String reason) {
    run.requireOnLoop("lost");
    require(leading, "node " + number + " was told that it lost what it did not have");
    leading = false;
  }

  @Override
  public void membersChanged() {
    run.requireOnLoop("membersChanged");
    follows = "";
    for (Consensus.Member member : run.world.consensus(number).members()) {
      if (member.leads()) follows = member.name();
    }
  }

  static Bytes bytes(String text) {
    return Bytes.copyOf(text.getBytes(StandardCharsets.UTF_8));
  }

  private static String text(Bytes bytes) {
    return StandardCharsets.UTF_8.decode(bytes.asBuffer()).toString();
  }
}
