// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.core.content.write;

import io.forebay.base.ByteSize;
import io.forebay.client.core.route.Futures;
import io.forebay.client.core.route.RequestFailed;
import io.forebay.client.core.route.TreeSession;
import io.forebay.ring.Instance;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Identity;
import io.forebay.wire.message.Names;
import java.util.ArrayDeque;
import java.util.function.Consumer;

/**
 * The room that this client may still fill in an instance with a capacity. It is reserved ahead, in
 * amounts that keep requests rare.
 */
final class WriteAllowance {
  private static final long CAPACITY_PARTS = 256;
  private static final long AHEAD_BYTES_MIN = 64 * 1024;

  private record Wish(
      int bytes, long endOffset, Runnable granted, Consumer<RequestFailed> refused) {}

  private final TreeSession session;
  private final Identity identity;
  private final long aheadBytes;
  private final boolean bounded;
  private final ArrayDeque<Wish> wishes = new ArrayDeque<>();
  private long leftBytes;
  private boolean asking;

  /** The home granted less than requested: no further room is requested in advance. */
  private boolean scarce;

  WriteAllowance(TreeSession session, Identity identity, long aheadBytes) {
    this.session = session;
    this.identity = identity;
    this.aheadBytes = aheadBytes;
    this.bounded = session.instance().capacityBytes() > 0;
  }

  /**
   * How much to reserve at a time: a small part of the capacity, since reserved room is unavailable
   * to all other clients.
   */
  static long aheadBytes(Instance instance, long most) {
    return Math.max(AHEAD_BYTES_MIN, Math.min(most, instance.capacityBytes() / CAPACITY_PARTS));
  }

  /**
   * Reserves room for bytes. Grants in the order of the calls, and at once if it can.
   *
   * @param endOffset where in their file they end
   */
  void take(int bytes, long endOffset, Runnable granted, Consumer<RequestFailed> refused) {
    if (!bounded) {
      granted.run();
      return;
    }
    wishes.add(new Wish(bytes, endOffset, granted, refused));
    grant();
  }

  private void grant() {
    while (!wishes.isEmpty() && leftBytes >= wishes.element().bytes()) {
      Wish wish = wishes.remove();
      leftBytes -= wish.bytes();
      wish.granted().run();
    }
    // Asking early makes the room available in time.
    if (asking) return;
    if (!wishes.isEmpty() || (!scarce && leftBytes < aheadBytes / 2)) askForMore();
  }

  private void askForMore() {
    asking = true;
    long missing = wishes.isEmpty() ? 0 : wishes.element().bytes() - leftBytes;
    Names.TakeRoom take = new Names.TakeRoom(Math.max(aheadBytes, missing));
    Futures.then(
        session.change(identity, take, Names.RoomIs.class),
        room -> {
          asking = false;
          leftBytes += room.bytes();
          scarce = room.bytes() < take.bytes();
          if (room.bytes() > 0) grant();
          else refuse(new RequestFailed(ErrorCode.NO_SPACE, "the instance is full"));
        },
        failure -> {
          asking = false;
          scarce = true;
          refuse(failure);
        });
  }

  /** A file that ends behind the total capacity never fits, even if other files are deleted. */
  static RequestFailed inUsersTerms(RequestFailed failure, Instance instance, long endOffset) {
    long capacityBytes = instance.capacityBytes();
    if (failure.code() != ErrorCode.NO_SPACE || endOffset <= capacityBytes) return failure;
    return new RequestFailed(
        ErrorCode.NO_SPACE,
        "the file is larger than the instance, which holds %s: %s"
            .formatted(ByteSize.format(capacityBytes), failure.getMessage()));
  }

  /**
   * Waiting writes fail with the reason; a later write asks again, since room may have become free.
   */
  private void refuse(RequestFailed failure) {
    while (!wishes.isEmpty() && leftBytes < wishes.element().bytes()) {
      Wish wish = wishes.remove();
      wish.refused().accept(inUsersTerms(failure, session.instance(), wish.endOffset()));
    }
    while (!wishes.isEmpty() && leftBytes >= wishes.element().bytes()) {
      Wish wish = wishes.remove();
      leftBytes -= wish.bytes();
      wish.granted().run();
    }
  }
}
