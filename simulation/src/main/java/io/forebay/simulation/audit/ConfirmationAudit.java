// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.audit;

import io.forebay.base.GroupId;
import io.forebay.base.RecordId;
import io.forebay.base.SeatId;
import io.forebay.ring.Group;
import io.forebay.simulation.world.SeatNode;
import io.forebay.simulation.world.World;
import io.forebay.wire.message.Data;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Journals;
import io.forebay.wire.message.Message;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * A home acknowledges a record when every current member has confirmed it in the current epoch
 * (P9), and a member confirms in an epoch only records that it was sent in that epoch (P12).
 */
public final class ConfirmationAudit extends Audit {
  private record Copy(String host, GroupId group, long epoch, RecordId record) {}

  private record Confirmed(Copy copy, SeatId by) {}

  private record Entries(String host, GroupId group, long epoch) {}

  // Looked up only.
  private final Set<Confirmed> confirmed = new HashSet<>();
  private final Set<Copy> copies = new HashSet<>();
  private final Map<Entries, Integer> entries = new HashMap<>();
  private final Map<RecordId, GroupId> groups = new HashMap<>();

  public ConfirmationAudit(World world) {
    super(world);
  }

  @Override
  public void handed(String from, String to, long request, Message message) {
    if (message instanceof Data.Confirm confirm && confirm.code() == ErrorCode.NONE) {
      Copy copy = new Copy(to, confirm.group(), confirm.epoch(), confirm.record());
      confirmed.add(new Confirmed(copy, confirm.member()));
    } else if (message instanceof Data.Replicate copy) {
      copies.add(new Copy(to, copy.group(), copy.epoch(), copy.record()));
    } else if (message instanceof Data.Put put) {
      groups.put(put.record(), put.group());
    } else if (message instanceof Journals.Append append) {
      entries.merge(new Entries(to, append.group(), append.epoch()), 1, Integer::sum);
    }
  }

  @Override
  public void sent(String from, String to, long request, Message message) {
    if (message instanceof Data.PutDone done) {
      acknowledged(from, done.record());
    } else if (message instanceof Data.Confirm confirm && confirm.code() == ErrorCode.NONE) {
      Copy copy = new Copy(from, confirm.group(), confirm.epoch(), confirm.record());
      if (copies.contains(copy)) return;
      broken("P12", from + " confirmed what it was not sent in that epoch: " + confirm);
    } else if (message instanceof Journals.Appended appended) {
      Entries taken = new Entries(from, appended.group(), appended.epoch());
      if (entries.merge(taken, -1, Integer::sum) >= 0) return;
      broken("P12", from + " answered for entries that it was not sent: " + appended);
    }
  }

  private void acknowledged(String home, RecordId record) {
    GroupId id = groups.get(record);
    SeatNode node = nodeAt(home);
    Group group = node == null || id == null ? null : node.seat().entered(id);
    if (node == null || group == null) return;
    Copy copy = new Copy(home, group.id(), group.epoch(), record);
    for (Group.Member member : group.members()) {
      boolean self = member.seat().equals(group.home());
      if (self || !member.current()) continue;
      if (confirmed.contains(new Confirmed(copy, member.seat()))) continue;
      broken(
          "P9",
          "%s acknowledged record %s of %s without %s's confirmation in epoch %d"
              .formatted(home, record, group.id(), member.seat(), group.epoch()));
    }
  }

  @Override
  public void killed(String host) {
    confirmed.removeIf(each -> each.copy.host.equals(host));
    copies.removeIf(each -> each.host.equals(host));
    entries.keySet().removeIf(each -> each.host.equals(host));
  }
}
