// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.use;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.cli.CommandOutcome;
import io.forebay.cli.JsonReader;
import io.forebay.server.EmbeddedCluster;
import io.forebay.server.StartFailed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code forebay usage} and {@code instance protect}, against a cluster in this process. */
@Timeout(300)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class UsageCommandTest {
  private static EmbeddedCluster cluster;
  @TempDir private static Path directory;

  @BeforeAll
  static void start() throws IOException, StartFailed {
    cluster =
        EmbeddedCluster.builder()
            .servers(2)
            .segmentBytes(1 << 20)
            .budget(16 << 20, 64 << 20)
            .start();
  }

  @AfterAll
  static void end() {
    cluster.close();
  }

  private static CommandOutcome run(String instance, String... arguments) {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.addAll(List.of("--uri", cluster.uri(instance)));
    return CommandOutcome.run(all.toArray(String[]::new));
  }

  private static String done(String instance, String... arguments) {
    CommandOutcome outcome = run(instance, arguments);
    assertThat(outcome.exitCode()).as(Arrays.toString(arguments) + ": " + outcome.err()).isZero();
    return outcome.out();
  }

  @Test
  void showsWhatWasWrittenAndWhatIsRefused() throws IOException {
    done(
        "",
        "instance",
        "create",
        "job",
        "--capacity",
        "4MiB",
        "--protect",
        "window=10x/24h,files=1");
    Path file = Files.write(directory.resolve("f"), new byte[1000]);
    done("job", "cp", file.toString(), "forebay:/a");
    CommandOutcome refused = run("job", "cp", file.toString(), "forebay:/b");
    assertThat(refused.exitCode()).isEqualTo(1);
    assertThat(refused.err()).contains("write protection allows 1 files");
    assertThat(done("", "usage")).contains("job", "default", "none");
    Object parsed = JsonReader.read(done("", "usage", "job", "--json"));
    Map<?, ?> json = (Map<?, ?>) ((List<?>) parsed).getFirst();
    assertThat(json.get("writtenBytes")).isEqualTo(1000.0);
    assertThat(json.get("files_create_threshold")).isEqualTo(1.0);
    assertThat(json.get("max_window_write")).isEqualTo((double) (40L << 20));
    assertThat(json.get("write_moving_avg")).isEqualTo(1000.0);
    assertThat(json.get("heldBytesMax")).isEqualTo(1000.0);
    Object sums = JsonReader.read(done("", "usage", "job", "--by", "pool", "--json"));
    Map<?, ?> sum = (Map<?, ?>) ((List<?>) sums).getFirst();
    assertThat(sum.get("pool")).isEqualTo("default");
    assertThat(sum.get("writtenBytes")).isEqualTo(1000.0);
    assertThat(done("", "usage", "--by", "user")).startsWith("user  instances");
    assertThat(done("", "instance", "protect", "job", "none"))
        .isEqualTo("'job' has no write protection any more\n");
    done("job", "cp", file.toString(), "forebay:/b");
  }

  /**
   * The last one: groups move back to a server that comes back, and what is not counted is lost.
   */
  @Test
  @Order(Integer.MAX_VALUE)
  void saysWhichInstancesLackTheCountsOfGroupsThatNoServerServes() throws Exception {
    done("", "instance", "create", "single", "--copies", "1");
    assertThat(run("", "usage", "single").err()).isEmpty();
    cluster.stop(0);
    try {
      CommandOutcome lacking = run("", "usage", "single", "--json");
      assertThat(lacking.err()).contains("'single' lacks what 1 of its groups count");
      Map<?, ?> json = (Map<?, ?>) ((List<?>) JsonReader.read(lacking.out())).getFirst();
      assertThat(json.get("groupsMissing")).isEqualTo(1.0);
    } finally {
      cluster.start(0);
    }
  }

  @Test
  void badPoliciesAndUnknownInstancesGetASentence() {
    CommandOutcome bad = run("", "instance", "protect", "default", "swap=1");
    assertThat(bad.exitCode()).isEqualTo(2);
    assertThat(bad.err()).contains("'swap=1' is not known");
    assertThat(run("", "instance", "protect", "default", "").err()).contains("write 'none'");
    CommandOutcome unknown = run("", "usage", "nothing");
    assertThat(unknown.exitCode()).isEqualTo(1);
    assertThat(unknown.err()).contains("there is no instance 'nothing'");
  }
}
