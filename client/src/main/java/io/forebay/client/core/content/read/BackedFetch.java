// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.core.content.read;

import io.forebay.base.GroupId;
import io.forebay.base.SeatId;
import io.forebay.client.core.retry.Refusal;
import io.forebay.client.core.retry.Retry;
import io.forebay.client.core.route.RequestFailed;
import io.forebay.client.core.route.TreeSession;
import io.forebay.ring.Group;
import io.forebay.ring.Instance;
import io.forebay.wire.message.Data;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Identity;
import io.forebay.wire.message.Replies;
import java.nio.ByteBuffer;

/** Fetches a piece of a file that only the backing store has, from the home of the file's tree. */
final class BackedFetch extends Fetch {
  /**
   * What to fetch.
   *
   * @param who the reader's identity
   * @param proof proof of the right to read it, in case it is in the buffer when the request
   *     arrives
   */
  record Source(TreeSession session, Identity who, long file, long offset, long proof) {}

  private final TreeSession session;
  private final Source source;

  BackedFetch(ReadWindow window, Source source, ByteBuffer target, Outcome outcome) {
    super(window, target, outcome);
    this.session = source.session();
    this.source = source;
  }

  @Override
  public void send(Retry.Try now) {
    GroupId id = session.group();
    Group group = router.maps().map().group(id);
    if (group == null) {
      router.refreshMap(null);
      next("the map has no " + id);
      return;
    }
    ask(
        now,
        group.home(),
        new Data.GetBacked(
            id,
            group.epoch(),
            session.instance().id(),
            session.tree(),
            session.id(),
            source.who(),
            source.file(),
            source.offset(),
            lengthBytes()));
  }

  @Override
  void refused(SeatId seat, Replies.Failed failed) {
    String why = seat + " says: " + failed.detail();
    Refusal refusal = Refusal.of(failed.code());
    if (refusal.wantsMap()) router.refreshMap(null);
    if (refusal.allowsRetry(isInstanceKnown())) next(why);
    else end(new RequestFailed(isReplaced(failed.code()) ? ErrorCode.GONE : failed.code(), why));
  }

  /** The copy may just have got another name, or been replaced by that of a later version. */
  private static boolean isReplaced(ErrorCode code) {
    return code == ErrorCode.NOT_FOUND || code == ErrorCode.STALE_HANDLE;
  }

  @Override
  void elsewhere(SeatId seat, Data.InBuffer found) {
    passTo(
        new RecordFetch.Source(
            found.group(),
            found.record(),
            session.instance().id(),
            found.recordOffset(),
            source.proof()));
  }

  private boolean isInstanceKnown() {
    Instance known = router.maps().map().instance(session.instance().id());
    return known != null;
  }

  @Override
  void unanswered() {
    router.homeLost(session.group());
  }

  @Override
  void damaged(SeatId seat) {
    next("what " + seat + " sent of the backing store's copy was damaged on its way");
  }

  /** The file was truncated since the lookup: its runs must be looked up again. */
  @Override
  void tooFew(SeatId seat, int bytes) {
    String detail = "the backing store's copy ends " + (lengthBytes() - bytes) + " bytes before";
    end(new RequestFailed(ErrorCode.GONE, detail));
  }
}
