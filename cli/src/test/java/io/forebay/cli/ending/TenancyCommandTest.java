// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.ending;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.forebay.cli.CommandOutcome;
import io.forebay.cli.JsonReader;
import io.forebay.client.Forebay;
import io.forebay.client.ForebayOptions;
import io.forebay.client.host.LocalIdentity;
import io.forebay.server.EmbeddedCluster;
import io.forebay.server.StartFailed;
import io.forebay.wire.message.Identity;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Which users an instance admits and when it ends by itself, through the commands. */
@Timeout(180)
class TenancyCommandTest {
  private static final int STRANGER = 4711;
  private static final long LOOK_MILLIS = 50;

  private static EmbeddedCluster cluster;

  @TempDir private static Path store;

  @BeforeAll
  static void start() throws IOException, StartFailed {
    cluster =
        EmbeddedCluster.builder()
            .segmentBytes(1 << 20)
            .budget(16 << 20, 16 << 20)
            .backingRoots(List.of(store))
            .withoutInstance()
            .start();
  }

  @AfterAll
  static void end() {
    if (cluster != null) cluster.close();
  }

  private static String done(String instance, String... arguments) {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.addAll(List.of("--uri", cluster.uri(instance)));
    CommandOutcome outcome = CommandOutcome.run(all.toArray(String[]::new));
    assertThat(outcome.exitCode()).as(Arrays.toString(arguments) + ": " + outcome.err()).isZero();
    return outcome.out();
  }

  private static Forebay connect(String instance, Identity identity) throws IOException {
    return Forebay.connect(cluster.uri(instance), ForebayOptions.defaults().withIdentity(identity));
  }

  @Test
  void anInstanceForAGroupAdmitsItsMembersAndNoOtherUser() throws IOException {
    done("", "instance", "create", "team", "--permit", "group");
    assertThat(done("", "instance", "list", "--json")).contains("\"permit\":\"group\"");
    int group = LocalIdentity.current().groups().getFirst();
    try (Forebay member = connect("team", new Identity(STRANGER, List.of(group)))) {
      assertThat(member.list("/").hasNext()).isFalse();
    }
    Identity stranger = new Identity(STRANGER, List.of(STRANGER));
    assertThatThrownBy(() -> connect("team", stranger).close())
        .hasMessageContaining(
            "instance 'team' does not admit user 4711, only users of group " + group);
  }

  @Test
  void anInstanceThatExpiresSoonWarnsEverywhere() {
    String backing = store.toString();
    done("", "instance", "create", "soon", "--expires", "12h", "--backing", backing);
    String sentence = "'soon' expires in 1[12].*, at 20.*Z: it ends then with all its data";
    assertThat(done("soon", "ledger")).containsPattern("there is no file\n\n" + sentence);
    assertThat(done("", "status")).containsPattern(sentence);
    assertThat(done("", "instance", "list")).containsPattern(sentence);
    Map<?, ?> ledger = (Map<?, ?>) JsonReader.read(done("soon", "ledger", "--json"));
    assertThat((String) ledger.get("expires")).matches("20.*Z");
    assertThat((List<?>) ledger.get("warnings"))
        .singleElement()
        .satisfies(warning -> assertThat((String) warning).matches(sentence));
  }

  @Test
  void anInstanceThatExpiresLaterOrNeverDoesNotWarn() {
    String backing = store.toString();
    done("", "instance", "create", "later", "--expires", "30d", "--backing", backing);
    assertThat(done("later", "ledger")).doesNotContain("expires");
    assertThat(done("later", "ledger", "--json")).contains("\"expires\":\"20", "\"warnings\":[]");
    done("", "instance", "create", "kept", "--backing", backing);
    assertThat(done("kept", "ledger", "--json")).contains("\"expires\":null", "\"warnings\":[]");
  }

  @Test
  void anInstanceEndsWhenItExpires() throws InterruptedException {
    done("", "instance", "create", "brief", "--expires", "2s");
    while (done("", "instance", "list").contains("brief")) Thread.sleep(LOOK_MILLIS);
  }
}
