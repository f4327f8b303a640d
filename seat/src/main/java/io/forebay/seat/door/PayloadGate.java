// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.door;

import io.forebay.base.rule.Rule;
import io.forebay.seat.group.GroupHome;
import io.forebay.seat.group.GroupSeat;
import io.forebay.seat.group.MemberGroups;
import io.forebay.seat.part.MapView;
import io.forebay.seat.put.Holds;
import io.forebay.seat.put.MemberCopies;
import io.forebay.seat.repair.CorruptRecordRepair;
import io.forebay.seat.right.RecordRights;
import io.forebay.wire.Connection;
import io.forebay.wire.Landing;
import io.forebay.wire.message.Data;
import io.forebay.wire.message.ErrorCode;

/**
 * The destinations of records' payloads, by the epoch of their messages (P12). For a newer epoch
 * the connection is held instead of the message, since the payload is still arriving.
 */
final class PayloadGate {
  private final MapView maps;
  private final MemberGroups groups;
  private final Holds holds;
  private final RecordRights recordRights;
  private final CorruptRecordRepair corruptRecords;
  private final EpochGate gate;
  private final Refusals refusals;

  PayloadGate(DoorParts parts, EpochGate gate, Refusals refusals) {
    this.maps = parts.basics().maps();
    this.groups = parts.groups();
    this.holds = parts.holds();
    this.recordRights = parts.recordRights();
    this.corruptRecords = parts.corruptRecords();
    this.gate = gate;
    this.refusals = refusals;
  }

  /** A record from a client for the home. */
  Landing put(Connection from, long request, Data.Put put, int payloadBytes) {
    if (!recordRights.mayPut(put.record(), put.secret())) {
      String detail = "that is not the secret of " + Long.toHexString(put.record().session());
      refusals.deny(from, request, put, ErrorCode.ACCESS_DENIED, detail);
      return holds.over(from, Landing.DISCARD);
    }
    GroupSeat group = groups.of(put.group());
    long epoch = group == null ? 0 : group.epoch();
    if (put.epoch() < epoch || gate.isOutOf(put.group(), put.epoch())) {
      refusals.stale(from, request, put.group());
      return holds.over(from, Landing.DISCARD);
    }
    GroupHome home = group == null || put.epoch() > epoch ? null : group.home();
    if (home != null && home.serving()) {
      return home.puts().arriving(from, request, put, payloadBytes);
    }
    if (put.epoch() == epoch && home == null) {
      gate.notHome(from, request, put.group());
      return holds.over(from, Landing.DISCARD);
    }
    if (put.epoch() > epoch) maps.fetchMap();
    if (!holds.exhausted(from)) return Landing.HOLD;
    String detail = put.group() + " is not served yet";
    refusals.refuse(from, request, ErrorCode.UNAVAILABLE, detail);
    return Landing.DISCARD;
  }

  /** A copy from another member. */
  Landing copy(Connection from, long request, Data.Replicate copy, int payloadBytes) {
    GroupSeat group = groups.of(copy.group());
    long epoch = group == null ? 0 : group.epoch();
    MemberCopies copies = group == null ? null : group.copies();
    if (copies != null && isOfEpoch(copy, epoch)) return copies.arriving(from, copy, payloadBytes);
    if (copy.epoch() == epoch && group != null && group.home() != null) {
      return corruptRecords.arriving(from, copy, payloadBytes);
    }
    if (copy.epoch() > epoch && !gate.isOutOf(copy.group(), copy.epoch())) {
      maps.fetchMap();
      if (!holds.exhausted(from)) return Landing.HOLD;
    }
    // The home of an older epoch does not need this copy any more, and the current home sends its
    // own. This payload must not hold up later ones for other groups.
    return holds.over(from, Landing.DISCARD);
  }

  /** A member takes copies of its own epoch only (P12). */
  @Rule("P12")
  private static boolean isOfEpoch(Data.Replicate copy, long epoch) {
    return copy.epoch() == epoch;
  }
}
