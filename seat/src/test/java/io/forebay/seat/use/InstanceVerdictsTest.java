// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.use;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.base.GroupId;
import io.forebay.base.SeatId;
import io.forebay.ring.Group;
import io.forebay.ring.Instance;
import io.forebay.ring.RingMap;
import io.forebay.seat.TestSeat;
import io.forebay.seat.manager.state.SmallRing;
import io.forebay.wire.message.Replies;
import io.forebay.wire.message.Uses;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the home of an instance's root makes of all reports. */
class InstanceVerdictsTest {
  private static final long SECOND = 1_000_000_000L;
  private static final int INSTANCE = 1;
  private static final GroupId ROOT = SmallRing.id(1, 1);
  private static final GroupId OTHER = SmallRing.id(2, 1);

  /** A window of 24 s has buckets of one second. */
  private static final long BUCKET_MILLIS = 1000;

  private final TestSeat seat = new TestSeat();
  private InstanceVerdicts verdicts;

  private void protect(String text) {
    Group.Member one = new Group.Member(new SeatId(1), 1, true);
    RingMap map = SmallRing.of(2).group(1, 1, one).instance(1, false).map();
    List<Instance> instances =
        map.instances().stream().map(each -> each.withProtection(text)).toList();
    seat.follow(
        new RingMap(map.cluster(), map.term(), map.epoch(), map.seats(), map.groups(), instances));
    UseParts parts =
        new UseParts(seat.basics(), seat.questions(), new Policies(seat.basics().maps()));
    InstanceVerdicts before = verdicts;
    verdicts = new InstanceVerdicts(parts);
    if (before != null) verdicts.adopt(before);
  }

  private Uses.Verdict report(GroupId from, long files, Uses.Bucket... buckets) {
    Uses.Report report =
        new Uses.Report(ROOT, 7, INSTANCE, from, BUCKET_MILLIS, List.of(buckets), files);
    return (Uses.Verdict) verdicts.verdict(report);
  }

  private static Uses.Bucket bucket(long number, long bytes) {
    return new Uses.Bucket(number, bytes);
  }

  @Test
  void allGroupsTogetherMustStayBelowTheLimit() {
    protect("window=100B/24s,log,error");
    seat.sleep(30 * SECOND);
    assertThat(report(ROOT, 0, bucket(10, 30), bucket(20, 30)).writesOver()).isFalse();
    Uses.Verdict over = report(OTHER, 0, bucket(15, 40));
    assertThat(over.writesOver()).isTrue();
    assertThat(over.windowBytes()).isEqualTo(100);
    assertThat(over.untilMillis()).as("when bucket 10 is out").isEqualTo(35 * BUCKET_MILLIS);
    assertThat(seat.warned()).hasSize(1);
    assertThat(seat.warned().getFirst()).contains("'i1' has taken 100 B within 24s");
    assertThat(report(OTHER, 0, bucket(15, 40)).writesOver()).isTrue();
    assertThat(seat.warned()).as("said once").hasSize(1);
    seat.sleep(5 * SECOND);
    Uses.Verdict lifted = report(OTHER, 0, bucket(15, 40));
    assertThat(lifted).isEqualTo(new Uses.Verdict(false, 0, 70, false));
    assertThat(seat.told()).anyMatch(each -> each.contains("allows again"));
  }

  @Test
  void aLaterReportOfAGroupReplacesTheOneBefore() {
    protect("window=100B/24s,error");
    report(ROOT, 0, bucket(0, 60));
    assertThat(report(ROOT, 0, bucket(0, 70)).windowBytes()).isEqualTo(70);
    assertThat(seat.warned()).isEmpty();
  }

  @Test
  void filesOfAllTreesCount() {
    protect("files=10,log,error");
    assertThat(report(ROOT, 4).filesOver()).isFalse();
    assertThat(report(OTHER, 6).filesOver()).isTrue();
    assertThat(seat.warned()).hasSize(1);
  }

  @Test
  void anotherPolicyIsAnotherVerdict() {
    protect("window=100B/24s,error");
    assertThat(report(ROOT, 0, bucket(0, 150)).writesOver()).isTrue();
    protect("window=200B/24s,error");
    assertThat(report(ROOT, 0, bucket(0, 150)).writesOver()).isFalse();
  }

  @Test
  void whatMakesNoSenseIsRefused() {
    protect("window=100B/24s,error");
    Uses.Report unknown = new Uses.Report(ROOT, 7, 99, ROOT, 1, List.of(), 0);
    assertThat(verdicts.verdict(unknown)).isInstanceOf(Replies.Failed.class);
    Uses.Report none = new Uses.Report(ROOT, 7, INSTANCE, ROOT, 0, List.of(), 0);
    assertThat(verdicts.verdict(none)).isInstanceOf(Replies.Failed.class);
  }
}
