// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.right;

import io.forebay.base.GroupId;
import io.forebay.base.Timers;
import io.forebay.base.proof.ContentKey;
import io.forebay.ring.Group;
import io.forebay.ring.Instance;
import io.forebay.seat.peer.Questions;
import io.forebay.wire.message.Data;
import io.forebay.wire.message.Message;
import java.util.function.Function;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** Asks the homes of trees for their keys, including this seat. */
public final class TreeKeys implements RecordRights.KeySource {
  private static final long ANSWER_NANOS = 1_000_000_000L;

  /** There may be no connection to the home yet. */
  private static final long AGAIN_NANOS = 50_000_000L;

  private static final int TRIES_MAX = 4;

  private final Questions questions;
  private final Timers timers;
  private final IntFunction<@Nullable Instance> instances;
  private final Function<GroupId, @Nullable HomeKeys> homes;

  /**
   * Asks in the name of a seat.
   *
   * @param homes the keys of a group that this seat serves under leases
   */
  public TreeKeys(
      Questions questions,
      Timers timers,
      IntFunction<@Nullable Instance> instances,
      Function<GroupId, @Nullable HomeKeys> homes) {
    this.questions = questions;
    this.timers = timers;
    this.instances = instances;
    this.homes = homes;
  }

  @Override
  public void ask(int instance, int tree, RecordRights.KeyTold told) {
    Instance known = instances.apply(instance);
    if (known == null) told.told(null);
    else ask(new Wanted(known.rootGroup(), instance, tree, 1), told);
  }

  /** A requested key of a tree, with the number of the attempt. */
  private record Wanted(GroupId group, int instance, int tree, int tries) {
    Data.AskKey in(long epoch) {
      return new Data.AskKey(group, epoch, instance, tree);
    }

    Wanted at(GroupId other) {
      return new Wanted(other, instance, tree, tries);
    }

    Wanted again() {
      return new Wanted(group, instance, tree, tries + 1);
    }
  }

  private void ask(Wanted wanted, RecordRights.KeyTold told) {
    HomeKeys here = homes.apply(wanted.group);
    if (here != null) {
      answered(wanted, here.answer(wanted.in(0)), told);
    } else {
      questions.askHome(
          wanted.group,
          (Group group) -> wanted.in(group.epoch()),
          ANSWER_NANOS,
          reply -> answered(wanted, reply, told));
    }
  }

  private void answered(Wanted wanted, @Nullable Message reply, RecordRights.KeyTold told) {
    if (reply instanceof Data.KeyIs is && ContentKey.isPossible(is.key())) {
      told.told(ContentKey.of(is.key()));
    } else if (reply instanceof Data.TreeIsIn is && !is.group().equals(wanted.group)) {
      ask(wanted.at(is.group()), told);
    } else if (wanted.tries < TRIES_MAX) {
      timers.after(AGAIN_NANOS, () -> ask(wanted.again(), told));
    } else {
      told.told(null);
    }
  }
}
