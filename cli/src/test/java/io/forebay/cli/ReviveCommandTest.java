// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.client.Cluster;
import io.forebay.ring.RingMap;
import io.forebay.server.EmbeddedCluster;
import io.forebay.server.StartFailed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Servers that keep data in memory only, stopped in order, and then with their memory removed. */
@Timeout(300)
class ReviveCommandTest {
  private static final int SERVERS = 2;

  @TempDir private Path directory;
  private Path memory;
  private EmbeddedCluster cluster;

  @BeforeEach
  void start() throws IOException, StartFailed {
    memory = Files.createDirectories(directory.resolve("memory"));
    cluster =
        EmbeddedCluster.builder()
            .servers(SERVERS)
            .segmentBytes(1 << 20)
            .budget(8 << 20, 0)
            .directory(directory.resolve("ring"))
            .memoryRoot(memory)
            .start();
    put("before");
  }

  @AfterEach
  void end() {
    cluster.close();
  }

  /** Writes a file that holds its own name. */
  private void put(String name) throws IOException {
    Path local = directory.resolve("in");
    Files.writeString(local, name);
    CommandOutcome copied = run("cp", local.toString(), "forebay:/" + name);
    assertThat(copied.exitCode()).as(copied.err()).isZero();
  }

  private void requireThere(String name) throws IOException {
    Path local = directory.resolve("out-" + name);
    CommandOutcome copied = run("cp", "forebay:/" + name, local.toString());
    assertThat(copied.exitCode()).as(copied.err()).isZero();
    assertThat(local).hasContent(name);
  }

  private CommandOutcome run(String... arguments) {
    List<String> all =
        Stream.concat(Stream.of(arguments), Stream.of("--uri", cluster.uri(), "--timeout", "60"))
            .toList();
    return CommandOutcome.run(all.toArray(String[]::new));
  }

  private void stopAll() {
    for (int server = 0; server < SERVERS; server++) cluster.stop(server);
  }

  private void startAll() throws IOException, StartFailed {
    for (int server = 0; server < SERVERS; server++) cluster.start(server);
  }

  private void awaitMap(Predicate<RingMap> wanted) throws IOException, InterruptedException {
    try (Cluster status = Cluster.connect(cluster.uri(""))) {
      while (!wanted.test(status.map())) TimeUnit.MILLISECONDS.sleep(20);
    }
  }

  private void removeMemory() throws IOException {
    List<Path> all;
    try (Stream<Path> walk = Files.walk(memory)) {
      all = walk.filter(each -> !each.equals(memory)).sorted(Comparator.reverseOrder()).toList();
    }
    for (Path each : all) Files.delete(each);
  }

  @Test
  void afterAnOrderlyStopOfAllEverythingIsThereByItself() throws Exception {
    stopAll();
    startAll();
    requireThere("before");
    assertThat(run("revive").out()).contains("there is nothing to revive");
  }

  @Test
  void anOperatorAcceptsThatAllIsLost() throws Exception {
    stopAll();
    removeMemory();
    startAll();
    awaitMap(map -> map.groups().stream().allMatch(group -> group.currentMembers() == 0));
    assertThat(run("status").out())
        .contains("group 1x2 is unavailable", "'forebay revive'")
        .doesNotContain("being brought up to date");
    CommandOutcome lost = run("lost");
    assertThat(lost.exitCode()).isOne();
    assertThat(lost.err()).contains("it is unknown what is lost", "'forebay revive'");
    CommandOutcome shown = run("revive");
    assertThat(shown.exitCode()).isOne();
    assertThat(shown.out()).contains("1x2", "2x2", "Nothing was changed", "--accept-loss");
    cluster.stop(1);
    assertThat(run("revive", "--accept-loss").err())
        .contains("does not answer and may hold what is missing", "--without-absent");
    cluster.start(1);
    awaitMap(map -> map.seats().stream().noneMatch(seat -> seat.away()));
    CommandOutcome revived = run("revive", "--accept-loss");
    assertThat(revived.exitCode()).as(revived.err()).isZero();
    assertThat(revived.out()).contains("2 groups revived");
    awaitMap(map -> map.groups().stream().allMatch(group -> group.isWhole()));
    assertThat(run("lost").out()).contains("may be missing");
    assertThat(run("stat", "/before").exitCode()).isOne();
    put("after");
    requireThere("after");
  }
}
