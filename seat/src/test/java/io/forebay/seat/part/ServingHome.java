// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.part;

import io.forebay.namespace.GroupCommand;
import io.forebay.namespace.GroupState;
import io.forebay.ring.Group;

/** A home for tests of its parts: it serves and has all leases, until it is told otherwise. */
public class ServingHome implements HomeView {
  /** Applies what is proposed. */
  public interface Journal {
    void propose(GroupCommand command, Change change);
  }

  private final Group group;
  private final GroupState state;
  private final Journal journal;
  private boolean serving = true;
  private boolean stopped;

  public ServingHome(Group group, GroupState state, Journal journal) {
    this.group = group;
    this.state = state;
    this.journal = journal;
  }

  public void setServing(boolean serves) {
    serving = serves;
  }

  /** The epoch is over. */
  public void stop() {
    stopped = true;
  }

  @Override
  public Group group() {
    return group;
  }

  @Override
  public boolean serving() {
    return serving;
  }

  @Override
  public boolean leased() {
    return true;
  }

  @Override
  public long leaseNanos() {
    return Long.MAX_VALUE;
  }

  @Override
  public boolean stopped() {
    return stopped;
  }

  @Override
  public String stage() {
    return "serving";
  }

  @Override
  public GroupState state() {
    return state;
  }

  @Override
  public boolean takesMore() {
    return true;
  }

  @Override
  public long changesTaken() {
    return 0;
  }

  @Override
  public long changesApplied() {
    return 0;
  }

  @Override
  public boolean propose(GroupCommand command, boolean forced, Change change) {
    journal.propose(command, change);
    return true;
  }
}
