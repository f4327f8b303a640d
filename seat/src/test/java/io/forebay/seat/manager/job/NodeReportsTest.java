// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.manager.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.base.Timers;
import io.forebay.seat.manager.state.Result;
import io.forebay.wire.Limit;
import io.forebay.wire.LimitCounts;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Identity;
import io.forebay.wire.message.Jobs;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class NodeReportsTest {
  private long now = 5;
  private final LimitCounts limits = new LimitCounts();
  private final NodeReports reports = new NodeReports(new Timers(() -> now), limits);

  private static Jobs.Mount mounted(String directory) {
    return new Jobs.Mount(directory, Jobs.Standing.MOUNTED, "");
  }

  private Result.Refused report(String node, Jobs.Mount... mounts) {
    return reports.take(new Jobs.ReportNode(Identity.root(), node, List.of(mounts), 0));
  }

  private static Jobs.Job job(String token, String... nodes) {
    return new Jobs.Job(
        token,
        1,
        1,
        "test",
        5,
        7,
        List.of(),
        List.of(),
        List.of(nodes),
        "/mnt/" + token,
        Jobs.Phase.RUNNING,
        1);
  }

  @Test
  void aJobShowsItsNodesAndThoseThatStillHaveItsMounts() {
    assertThat(report("n2", mounted("/mnt/1/striped"), mounted("/mnt/17/striped"))).isNull();
    assertThat(report("n3", mounted("/mnt/1/striped"))).isNull();
    now += TimeUnit.SECONDS.toNanos(2);
    assertThat(reports.of(job("1", "n1", "n2"), "", 10).nodes())
        .containsExactly(
            new Jobs.Node("n1", -1, List.of()),
            new Jobs.Node("n2", 2000, List.of(mounted("/mnt/1/striped"))),
            new Jobs.Node("n3", 2000, List.of(mounted("/mnt/1/striped"))));
    assertThat(reports.of(job("1"), "n2", 10).nodes())
        .extracting(Jobs.Node::name)
        .containsExactly("n3");
  }

  @Test
  void theNewestReportCounts() {
    report("n1", mounted("/mnt/1/striped"));
    report("n1");
    assertThat(reports.of(job("1"), "", 10).nodes()).isEmpty();
    assertThat(reports.after("", 10, mount -> true).nodes())
        .containsExactly(new Jobs.Node("n1", 0, List.of()));
  }

  @Test
  void pagesGoOnBehindTheLastNode() {
    for (String node : List.of("a", "b", "c")) report(node);
    Jobs.NodesAre first = reports.after("", 2, mount -> true);
    assertThat(first.nodes()).extracting(Jobs.Node::name).containsExactly("a", "b");
    assertThat(first.more()).isTrue();
    Jobs.NodesAre second = reports.after("b", 2, mount -> true);
    assertThat(second.nodes()).extracting(Jobs.Node::name).containsExactly("c");
    assertThat(second.more()).isFalse();
  }

  @Test
  void callersThatAgentsRefusedAreAddedUp() {
    // What was refused before this manager heard of the agent is not counted.
    for (long refused : new long[] {7, 7, 10, 2}) {
      reports.take(new Jobs.ReportNode(Identity.root(), "n1", List.of(), refused));
    }
    for (long refused : new long[] {0, 5}) {
      reports.take(new Jobs.ReportNode(Identity.root(), "n2", List.of(), refused));
    }
    assertThat(limits.of(Limit.AGENT_CONNECTIONS)).isEqualTo(3 + 2 + 5);
  }

  @Test
  void onlyAgentsOfRootReport() {
    Result.Refused refused =
        reports.take(new Jobs.ReportNode(new Identity(1000, List.of(1000)), "n1", List.of(), 0));
    assertThat(refused.code()).isEqualTo(ErrorCode.NOT_PERMITTED);
    assertThat(refused.sentence()).contains("run the agent as root");
    assertThat(report("no/name").sentence()).contains("'no/name' is no name of a node");
  }

  @Test
  void reportsAreBoundedAndSilentNodesMakeRoom() {
    Jobs.Mount[] many = new Jobs.Mount[NodeReports.MOUNTS_MAX + 1];
    Arrays.fill(many, mounted("/mnt/1/striped"));
    assertThat(report("n1", many).code()).isEqualTo(ErrorCode.INVALID);
    for (int i = 0; i < NodeReports.NODES_MAX; i++) assertThat(report("n" + i)).isNull();
    assertThat(report("more").code()).isEqualTo(ErrorCode.BUSY);
    assertThat(limits.of(Limit.NODES)).isEqualTo(1);
    now += TimeUnit.MINUTES.toNanos(11);
    assertThat(report("more")).isNull();
    assertThat(reports.after("", 10, mount -> true).nodes()).hasSize(1);
  }
}
