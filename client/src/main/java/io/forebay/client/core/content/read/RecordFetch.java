// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.core.content.read;

import io.forebay.base.GroupId;
import io.forebay.base.RecordId;
import io.forebay.base.SeatId;
import io.forebay.client.core.retry.Refusal;
import io.forebay.client.core.retry.Retry;
import io.forebay.client.core.route.Futures;
import io.forebay.client.core.route.RequestFailed;
import io.forebay.ring.Group;
import io.forebay.ring.SeatEntry;
import io.forebay.wire.message.Data;
import io.forebay.wire.message.Replies;
import java.nio.ByteBuffer;
import java.util.Set;
import java.util.TreeSet;

/** Fetches pieces of records, from the home or from any other member that has them. */
final class RecordFetch extends Fetch {
  /**
   * The source of bytes.
   *
   * @param proof proof of the right to read them (P28)
   */
  record Source(GroupId group, RecordId record, int instance, int recordOffset, long proof) {}

  private final Source source;

  /** The next member to ask, as an index. */
  private int turn;

  /** Members in this round that said for certain that they cannot give it. */
  private final Set<SeatId> certain = new TreeSet<>();

  RecordFetch(ReadWindow window, Source source, ByteBuffer target, Outcome outcome) {
    super(window, target, outcome);
    this.source = source;
  }

  @Override
  public void send(Retry.Try now) {
    Group group = router.maps().map().group(source.group());
    if (group == null) {
      router.refreshMap(null);
      next("the map has no " + source.group());
      return;
    }
    ask(
        now,
        memberOnTurn(group),
        new Data.Get(
            source.group(),
            source.record(),
            source.instance(),
            source.recordOffset(),
            lengthBytes(),
            source.proof()));
  }

  /** The home first, unless another member is on this machine. */
  private SeatId memberOnTurn(Group group) {
    int size = group.members().size();
    return group.members().get((nearest(group) + turn) % size).seat();
  }

  private int nearest(Group group) {
    String node = router.config().node();
    for (int i = 0; i < group.members().size(); i++) {
      Group.Member member = group.members().get(i);
      SeatEntry seat = router.maps().map().seat(member.seat());
      if (member.current() && seat != null && seat.host().equals(node)) return i;
    }
    return 0;
  }

  @Override
  void refused(SeatId seat, Replies.Failed failed) {
    String why = seat + " says: " + failed.detail();
    // A seat that is no member any more says nothing about the record.
    Refusal refusal = Refusal.of(failed.code());
    if (refusal == Refusal.MAP_IS_OLD) router.refreshMap(null);
    boolean isCertain = !refusal.allowsRetry(false);
    if (isCertain) certain.add(seat);
    if (isCertain && allAreCertain()) end(new RequestFailed(failed.code(), why));
    else next(why);
  }

  /** Their order may change between two turns, so that one is asked twice and another not. */
  private boolean allAreCertain() {
    Group group = router.maps().map().group(source.group());
    return group != null
        && group.members().stream().allMatch(member -> certain.contains(member.seat()));
  }

  @Override
  void unanswered() {
    router.refreshMap(null);
  }

  @Override
  void damaged(SeatId seat) {
    // On its way, or in the memory of the seat, which looks for itself.
    Futures.then(
        router.askSeat(seat, new Data.LooksDamaged(source.record()), Replies.Done.class),
        done -> {},
        failed -> {});
    next("what " + seat + " sent of record " + source.record() + " was damaged on its way");
  }

  @Override
  void tooFew(SeatId seat, int bytes) {
    next(seat + " answered a read of " + lengthBytes() + " bytes with " + bytes);
  }

  /** Each member is asked at once, then all of them again after a while. */
  @Override
  Retry.Next chooseNext() {
    turn++;
    Group group = router.maps().map().group(source.group());
    int members = group == null ? 1 : group.members().size();
    if (turn % members != 0) return Retry.Next.OTHER_MEMBER;
    certain.clear();
    return Retry.Next.SAME;
  }
}
