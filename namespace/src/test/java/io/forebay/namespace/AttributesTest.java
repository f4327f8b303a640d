// SPDX-License-Identifier: Apache-2.0

package io.forebay.namespace;

import static io.forebay.namespace.TestGroup.ROOT;
import static io.forebay.namespace.TestGroup.piece;
import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.base.Bytes;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Identity;
import io.forebay.wire.message.Names;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Times as POSIX moves them, and extra attributes. */
class AttributesTest {
  private static final Identity USER = new Identity(1_000, List.of(1_000));

  private final TestGroup group = TestGroup.begun();

  /** The time of the last change. */
  private long now() {
    return group.index * TestGroup.SECOND;
  }

  private void assertModified(String path) {
    assertThat(group.stat(path).modifyNanos()).isEqualTo(now());
    assertThat(group.stat(path).changeNanos()).isEqualTo(now());
  }

  private void assertOnlyChanged(String path) {
    assertThat(group.stat(path).modifyNanos()).isLessThan(now());
    assertThat(group.stat(path).changeNanos()).isEqualTo(now());
  }

  private void assertUntouched(String path) {
    assertThat(group.stat(path).changeNanos()).isLessThan(now());
  }

  @Test
  void namesMoveTheTimesOfTheirDirectories() {
    group.mkdir("a");
    assertModified("");
    group.mkdir("b");
    assertUntouched("a");
    group.create("a/f");
    assertModified("a");
    assertUntouched("");
    assertThat(group.stat("a/f").accessNanos()).isEqualTo(now());
    group.change(new Names.Rename(ROOT, "a/f", ROOT, "b/g", false, false));
    assertModified("a");
    assertModified("b");
    assertOnlyChanged("b/g");
    assertUntouched("");
    group.change(new Names.MakeLink(ROOT, "b/g", ROOT, "b/h"));
    assertModified("b");
    assertOnlyChanged("b/g");
    group.change(new Names.Unlink(ROOT, "b/h"));
    assertModified("b");
    assertOnlyChanged("b/g");
  }

  @Test
  void anOpenThatFindsTheFileMovesNothing() {
    group.create("f");
    group.create("f");
    assertUntouched("f");
    assertUntouched("");
  }

  @Test
  void contentMovesTheTimesOfItsFile() {
    long file = group.create("f").number();
    group.publish(file, piece(0, 10, 1));
    assertModified("f");
    group.change(new Names.Publish(file, false, true, List.of()));
    assertUntouched("f");
    group.change(new Names.SetAttributes(ROOT, "f", true, -1, -1, -1, 5, -1, -1));
    assertModified("f");
    assertThat(group.stat("f").version()).isEqualTo(group.index);
    group.change(TestGroup.open("f", false, true));
    assertModified("f");
  }

  @Test
  void givenTimesAreKept() {
    group.create("f");
    group.change(new Names.SetAttributes(ROOT, "f", true, -1, -1, -1, -1, 5, 7));
    assertThat(group.stat("f").accessNanos()).isEqualTo(5);
    assertThat(group.stat("f").modifyNanos()).isEqualTo(7);
    assertThat(group.stat("f").changeNanos()).isEqualTo(now());
    group.change(
        new Names.SetAttributes(ROOT, "f", true, -1, -1, -1, -1, Names.UNCHANGED, Names.NOW));
    assertThat(group.stat("f").accessNanos()).isEqualTo(5);
    assertThat(group.stat("f").modifyNanos()).isEqualTo(now());
    group.change(new Names.SetAttributes(ROOT, "f", true, 0600, -1, -1, -1, -1, -1));
    assertOnlyChanged("f");
  }

  @Test
  void writingTakesLentRightsAway() {
    group.change(new Names.SetAttributes(ROOT, "", true, 0777, -1, -1, -1, -1, -1));
    group.who = USER;
    long file = group.create("f").number();
    group.change(new Names.SetAttributes(ROOT, "f", true, 06755, -1, -1, -1, -1, -1));
    assertThat(group.stat("f").mode()).isEqualTo(06755);
    group.publish(file, piece(0, 10, 1));
    assertThat(group.stat("f").mode()).isEqualTo(0755);
  }

  @Test
  void setGroupWithoutGroupExecuteIsLeftToMembersOfTheGroup() {
    group.create("f");
    group.change(new Names.SetAttributes(ROOT, "f", true, 02666, -1, 1_000, -1, -1, -1));
    group.who = USER;
    group.publish(group.stat("f").number(), piece(0, 10, 1));
    assertThat(group.stat("f").mode()).isEqualTo(02666);
    group.who = Identity.root();
    group.change(new Names.SetAttributes(ROOT, "f", true, 02666, -1, 1_001, -1, -1, -1));
    group.who = USER;
    group.publish(group.stat("f").number(), piece(10, 10, 2));
    assertThat(group.stat("f").mode()).isEqualTo(0666);
  }

  @Test
  void aFileMadeReadOnlyIsWrittenByItsMaker() {
    group.change(new Names.SetAttributes(ROOT, "", true, 0777, -1, -1, -1, -1, -1));
    group.who = USER;
    Names.Open open = new Names.Open(ROOT, "f", false, true, true, true, false, 0444);
    long file = group.must(Names.NodeIs.class, group.change(open)).attributes().number();
    assertThat(group.publish(file, piece(0, 10, 1)).sizeBytes()).isEqualTo(10);
    assertThat(group.tryChange(new Names.SetAttributes(file, "", true, -1, -1, -1, 5, -1, -1)))
        .isEqualTo(ErrorCode.NONE);
    assertThat(group.tryChange(new Names.SetAttributes(ROOT, "f", true, -1, -1, -1, 5, -1, -1)))
        .isEqualTo(ErrorCode.ACCESS_DENIED);
  }

  private ErrorCode set(String path, String name, String value, boolean create, boolean replace) {
    Bytes bytes = Bytes.copyOf(value.getBytes(StandardCharsets.UTF_8));
    return group.tryChange(new Names.SetExtra(ROOT, path, false, name, bytes, create, replace));
  }

  private ErrorCode get(String path, String name) {
    return group.tryAsk(new Names.GetExtra(ROOT, path, false, name));
  }

  private List<String> list(String path) {
    return group
        .must(Names.ExtrasAre.class, group.ask(new Names.ListExtras(ROOT, path, false)))
        .names();
  }

  @Test
  void extraAttributesComeAndGo() {
    group.create("f");
    assertThat(set("f", "user.b", "1", true, false)).isEqualTo(ErrorCode.NONE);
    assertOnlyChanged("f");
    assertThat(set("f", "user.b", "2", true, false)).isEqualTo(ErrorCode.EXISTS);
    assertThat(set("f", "user.b", "3", false, true)).isEqualTo(ErrorCode.NONE);
    assertThat(set("f", "user.a", "", false, false)).isEqualTo(ErrorCode.NONE);
    assertThat(list("f")).containsExactly("user.a", "user.b");
    assertThat(group.ask(new Names.GetExtra(ROOT, "f", true, "user.b")))
        .isEqualTo(new Names.ExtraIs(Bytes.copyOf("3".getBytes(StandardCharsets.UTF_8))));
    group.change(new Names.RemoveExtra(ROOT, "f", true, "user.b"));
    group.change(new Names.RemoveExtra(ROOT, "f", true, "user.a"));
    assertThat(list("f")).isEmpty();
  }

  @Test
  void extraAttributesOfANodeAreBounded() {
    group.create("f");
    String large = "x".repeat(60 * 1024);
    for (int i = 0; i < 4; i++) {
      assertThat(set("f", "user." + i, large, false, false)).isEqualTo(ErrorCode.NONE);
    }
    assertThat(set("f", "user.5", large, false, false)).isEqualTo(ErrorCode.NO_SPACE);
    assertThat(set("f", "user.3", large, false, false)).isEqualTo(ErrorCode.NONE);
  }

  @Test
  void extraAttributesFollowPermissions() {
    group.create("f");
    group.mkdir("sticky");
    group.change(new Names.SetAttributes(ROOT, "sticky", true, 01777, -1, -1, -1, -1, -1));
    group.change(new Names.MakeSymlink(ROOT, "s", "f"));
    assertThat(set("f", "trusted.t", "1", false, false)).isEqualTo(ErrorCode.NONE);
    assertThat(set("f", "user.u", "1", false, false)).isEqualTo(ErrorCode.NONE);
    assertThat(set("s", "user.u", "1", false, false)).isEqualTo(ErrorCode.NOT_PERMITTED);
    assertThat(set("s", "trusted.t", "1", false, false)).isEqualTo(ErrorCode.NONE);
    group.who = USER;
    assertThat(list("f")).containsExactly("user.u");
    assertThat(get("f", "user.u")).isEqualTo(ErrorCode.NONE);
    assertThat(get("f", "trusted.t")).isEqualTo(ErrorCode.NO_ATTRIBUTE);
    assertThat(set("f", "user.u", "2", false, false)).isEqualTo(ErrorCode.ACCESS_DENIED);
    assertThat(set("f", "trusted.t", "2", false, false)).isEqualTo(ErrorCode.NOT_PERMITTED);
    assertThat(set("sticky", "user.u", "2", false, false)).isEqualTo(ErrorCode.NOT_PERMITTED);
  }
}
