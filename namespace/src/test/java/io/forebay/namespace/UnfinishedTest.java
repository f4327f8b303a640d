// SPDX-License-Identifier: Apache-2.0

package io.forebay.namespace;

import static io.forebay.namespace.TestGroup.BUFFER;
import static io.forebay.namespace.TestGroup.ROOT;
import static io.forebay.namespace.TestGroup.SESSION;
import static io.forebay.namespace.TestGroup.TREE;
import static io.forebay.namespace.TestGroup.piece;
import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.wire.message.Names;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Files that somebody still writes, or has left without closing them. */
class UnfinishedTest {
  private static final long OTHER = SESSION + 1;
  private static final long LATER = SESSION + 2;

  private final TestGroup group = TestGroup.begun();
  private long pieces;

  /** Whether it is being written, and whether somebody left it. */
  private String standing(long file) {
    Names.StandingsAre told =
        group.must(
            Names.StandingsAre.class, group.ask(new Names.GetStandings(List.of(file, 99_999L))));
    assertThat(told.files()).hasSize(1);
    Names.Standing standing = told.files().getFirst();
    return (standing.written() ? "written" : "") + (standing.left() ? "left" : "");
  }

  private void as(long session) {
    group.session = session;
    group.change(new Names.BeginSession("node", TestGroup.SECOND));
  }

  private void expire(long session) {
    group.apply(new GroupCommand.ExpireSession(BUFFER, TREE, session, group.now()));
  }

  private void publish(long file, boolean close) {
    group.must(
        Names.Published.class,
        group.change(new Names.Publish(file, false, close, List.of(piece(0, 10, ++pieces)))));
  }

  @Test
  void aFileIsWrittenUntilItIsClosed() {
    long file = group.create("a").number();
    assertThat(standing(file)).isEqualTo("written");
    publish(file, false);
    assertThat(standing(file)).isEqualTo("written");
    long version = group.stat(file).version();
    group.change(new Names.Release(file));
    assertThat(standing(file)).isEmpty();
    assertThat(group.stat(file).version()).as("closing changes nothing").isEqualTo(version);
    publish(file, true);
    assertThat(standing(file)).isEmpty();
    expire(SESSION);
    as(OTHER);
    assertThat(standing(file)).isEmpty();
  }

  @Test
  void whatIsOnlyOpenedIsWhatItWas() {
    long file = group.create("a").number();
    publish(file, true);
    group.change(TestGroup.open("a", true, false));
    assertThat(standing(file)).isEmpty();
    group.change(TestGroup.open("a", true, true));
    assertThat(standing(file)).as("emptied, and to be written anew").isEqualTo("written");
  }

  @Test
  void whoGoesWithoutClosingLeavesIt() throws Exception {
    long synced = group.create("a").number();
    publish(synced, false);
    long made = group.create("b").number();
    long closed = group.create("c").number();
    publish(closed, true);
    assertThat(group.replayed()).isNotNull();
    expire(SESSION);
    as(OTHER);
    assertThat(standing(synced)).isEqualTo("left");
    assertThat(standing(made)).isEqualTo("left");
    assertThat(standing(closed)).isEmpty();
    group.state = group.restored(1 << 16);
    assertThat(standing(synced)).isEqualTo("left");
    group.state = group.replayed();
    assertThat(standing(synced)).isEqualTo("left");
  }

  @Test
  void whoCouldNotWriteAllLeavesItToo() {
    long file = group.create("a").number();
    publish(file, false);
    group.change(new Names.Release(file, false, Names.ALL_OPENS));
    assertThat(standing(file)).isEqualTo("left");
  }

  @Test
  void whoWroteBesideOneThatWentDoesNotFinishForHim() {
    long file = group.create("a").number();
    as(OTHER);
    publish(file, false);
    assertThat(standing(file)).isEqualTo("written");
    expire(SESSION);
    assertThat(standing(file)).isEqualTo("writtenleft");
    publish(file, true);
    assertThat(standing(file)).isEqualTo("left");
    as(LATER);
    publish(file, true);
    assertThat(standing(file)).as("who began later has taken over").isEmpty();
  }

  @Test
  void whatIsEmptiedOrRemovedIsNotLeft() {
    long file = group.create("a").number();
    publish(file, false);
    expire(SESSION);
    as(OTHER);
    group.change(
        new Names.SetAttributes(ROOT, "a", true, -1, -1, -1, 0, Names.UNCHANGED, Names.UNCHANGED));
    assertThat(standing(file)).isEmpty();
    publish(file, false);
    group.change(new Names.Unlink(ROOT, "a"));
    group.apply(new GroupCommand.Forget(BUFFER, TREE, List.of(file)));
    group.change(new Names.Release(file));
    expire(OTHER);
    as(LATER);
    assertThat(
            group
                .must(Names.StandingsAre.class, group.ask(new Names.GetStandings(List.of(file))))
                .files())
        .isEmpty();
  }

  @Test
  void aSnapshotKnowsWhatIsWrittenAndSinceWhen() throws Exception {
    long file = group.create("a").number();
    publish(file, false);
    as(OTHER);
    publish(file, false);
    group.state = group.restored(1 << 16);
    assertThat(standing(file)).isEqualTo("written");
    expire(SESSION);
    publish(file, true);
    assertThat(standing(file)).as("the other one began before").isEqualTo("left");
  }
}
