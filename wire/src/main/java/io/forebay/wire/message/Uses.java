// SPDX-License-Identifier: Apache-2.0

package io.forebay.wire.message;

import io.forebay.base.GroupId;
import java.util.List;

/** What is written and read of instances, and what their write protection says to it. */
public interface Uses {
  /**
   * A part of an instance's write window.
   *
   * @param number the wall time divided by the length of a bucket
   */
  record Bucket(long number, long bytes) {}

  /**
   * From a group's home to the home of an instance's root: what the group has taken of the
   * instance. Sent about once a second while it changes. Answered with {@link Verdict}.
   *
   * @param from the group
   * @param bucketMillis the length of its buckets
   * @param buckets at most {@link #BUCKETS_MAX}
   * @param filesCreated files created in the instance's trees of that group
   */
  record Report(
      GroupId rootGroup,
      long epoch,
      int instance,
      GroupId from,
      long bucketMillis,
      List<Bucket> buckets,
      long filesCreated)
      implements GroupMessage {
    @Override
    public GroupId group() {
      return rootGroup;
    }
  }

  /** Longer reports are refused. */
  int BUCKETS_MAX = 64;

  /**
   * What an instance's write protection says to all reports together.
   *
   * @param writesOver whether more was written than the window allows
   * @param untilMillis until when that is so, in wall time, if nothing more is written
   * @param windowBytes what was written within the window
   * @param filesOver whether as many files were created as are allowed
   */
  record Verdict(boolean writesOver, long untilMillis, long windowBytes, boolean filesOver)
      implements Message {
    public static final Verdict NONE = new Verdict(false, 0, 0, false);
  }

  /**
   * Asks a seat what the groups that it is home of have taken of instances. Answered with {@link
   * UsesAre}.
   *
   * @param instance 0 for all
   */
  record GetUses(int instance) implements Message {}

  /**
   * The answer to {@link GetUses}.
   *
   * @param served the groups that the seat serves as their home, also those without any use
   */
  record UsesAre(List<GroupUse> uses, List<GroupId> served) implements Message {}

  /**
   * What a group has taken of an instance since the instance was created.
   *
   * @param writtenBytes bytes that clients wrote, copies not counted
   * @param readBytes bytes that clients read from the seat that is home of the group
   * @param ssdBytes bytes of the instance that this seat wrote to its SSD
   * @param windowBytes what was written within the window
   * @param windowBytesMax the most that was written within a window
   * @param heldBytes what files of the instance's trees in this group hold
   * @param heldBytesMax the most that they held
   * @param filesCreated files created in these trees, deleted ones included
   * @param isRoot whether the group is that of the instance's root, so that the verdict counts
   */
  record GroupUse(
      int instance,
      GroupId group,
      long writtenBytes,
      long readBytes,
      long ssdBytes,
      long windowBytes,
      long windowBytesMax,
      long heldBytes,
      long heldBytesMax,
      long filesCreated,
      boolean isRoot,
      Verdict verdict) {}
}
