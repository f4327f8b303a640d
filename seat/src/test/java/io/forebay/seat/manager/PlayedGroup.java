// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.manager;

import io.forebay.base.Bytes;
import io.forebay.seat.consensus.Consensus;
import java.util.ArrayList;
import java.util.List;

/**
 * The agreement of three managers as one of them sees it: commands are agreed on by its own log,
 * and the test says which manager leads.
 */
final class PlayedGroup implements Consensus {
  private final List<Confirmation> asked = new ArrayList<>();
  private Consensus log;
  private Leadership told;
  private boolean leading;
  private String other = "10.0.0.101:7070";

  /** How often it was asked whether the manager leads. */
  int questions;

  Consensus around(Consensus alone) {
    log = alone;
    return this;
  }

  /** Another manager leads. */
  void depose(String leader) {
    leading = false;
    told.lost("another manager leads");
    other = leader;
    told.membersChanged();
  }

  /** This one leads again. */
  void lead() {
    leading = true;
    told.leading();
  }

  /** A majority answers all open questions. */
  void confirm(boolean leads) {
    List<Confirmation> open = List.copyOf(asked);
    asked.clear();
    open.forEach(each -> each.answered(leads));
  }

  @Override
  public void start(Machine machine, Leadership leadership) {
    told = leadership;
    log.start(
        machine,
        new Leadership() {
          @Override
          public void leading() {
            lead();
          }

          @Override
          public void lost(String reason) {
            leadership.lost(reason);
          }
        });
  }

  @Override
  public void propose(Bytes command, Proposer proposer) {
    log.propose(command, proposer);
  }

  @Override
  public void confirm(Confirmation confirmation) {
    questions++;
    asked.add(confirmation);
  }

  @Override
  public List<Member> members() {
    return List.of(
        new Member("this", "", "10.0.0.100:7070", leading, 0, 0),
        new Member("other", "", other, !leading, -1, -1),
        new Member("third", "", "10.0.0.102:7070", false, -1, -1));
  }
}
