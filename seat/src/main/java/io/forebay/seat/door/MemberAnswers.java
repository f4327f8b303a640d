// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.door;

import io.forebay.base.rule.Rule;
import io.forebay.seat.group.GroupHome;
import io.forebay.seat.group.GroupSeat;
import io.forebay.seat.group.MemberGroups;
import io.forebay.seat.repair.CorruptRecordRepair;
import io.forebay.wire.message.Data;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Journals;

/** Unsolicited messages of members to their home: copies and journal entries that they have. */
final class MemberAnswers {
  private final MemberGroups groups;
  private final CorruptRecordRepair corruptRecords;

  MemberAnswers(MemberGroups groups, CorruptRecordRepair corruptRecords) {
    this.groups = groups;
    this.corruptRecords = corruptRecords;
  }

  void confirmed(Data.Confirm confirm) {
    GroupSeat group = groups.of(confirm.group());
    if (confirm.code() == ErrorCode.CORRUPT) corruptRecords.suspect(confirm.record());
    GroupHome home = group == null ? null : group.home();
    if (group == null || home == null) return;
    if (!counts(confirm, group.epoch())) return;
    home.slow().copyAnswered(confirm.member());
    home.puts().confirmed(confirm);
    home.repair().confirmed(confirm);
  }

  /** Only confirmations of the present epoch count (P12). */
  @Rule("P12")
  private static boolean counts(Data.Confirm confirm, long epoch) {
    return confirm.epoch() == epoch;
  }

  void appended(Journals.Appended appended) {
    GroupSeat group = groups.of(appended.group());
    if (group == null || group.epoch() != appended.epoch()) return;
    GroupHome home = group.home();
    if (home != null && home.started()) {
      home.slow().entriesAnswered(appended.member());
      home.replicated().appended(appended);
    }
  }
}
