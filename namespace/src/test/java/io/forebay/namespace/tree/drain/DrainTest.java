// SPDX-License-Identifier: Apache-2.0

package io.forebay.namespace.tree.drain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.forebay.base.FileId;
import io.forebay.base.fields.MalformedFields;
import io.forebay.namespace.GroupCommand;
import io.forebay.namespace.GroupState;
import io.forebay.namespace.TestGroup;
import io.forebay.namespace.tree.BackingView;
import io.forebay.namespace.tree.backed.BackingCall;
import io.forebay.testing.TestSeed;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Names;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Files on their way to a backing store, which is a map from names to what was stored. */
class DrainTest extends DrainedGroup {
  @Test
  void aFileIsDurableWhenItHasItsNameInTheStore() {
    long file = write("a");
    assertThat(entry(file).state()).isEqualTo(Names.DrainState.BUFFERED);
    int attempt = begin(file);
    assertThat(entry(file).state()).isEqualTo(Names.DrainState.DRAINING);
    commit(file, attempt);
    assertThat(entry(file).state()).isEqualTo(Names.DrainState.NAMING);
    assertThat(view().isDurable(file)).isFalse();
    changeAll();
    assertThat(entry(file).state()).isEqualTo(Names.DrainState.DURABLE);
    assertThat(stored).containsOnlyKeys("/a");
    group.publish(file, TestGroup.piece(50, 100, ++pieces));
    assertThat(entry(file).state()).isEqualTo(Names.DrainState.BUFFERED);
  }

  @Test
  void whatIsAskedForIsRememberedUntilTheStoreHasIt() throws MalformedFields {
    long file = write("a");
    assertThat(view().isWanted(file)).isFalse();
    group.apply(new GroupCommand.WantDrain(BUFFER, TREE, TestGroup.ROOT));
    assertThat(view().isWanted(file)).isTrue();
    BackingView copy = group.restored(GroupState.CHUNK_BYTES_MIN).backing(BUFFER, TREE);
    assertThat(copy).isNotNull();
    assertThat(copy.isWanted(file)).isTrue();
    drain(file);
    assertThat(view().isWanted(file)).isFalse();
    group.publish(file, TestGroup.piece(50, 100, ++pieces));
    assertThat(view().isWanted(file)).isFalse();
  }

  @Test
  void callsOfTheNextChangeAreKnownUntilItIsMade() throws MalformedFields {
    drain(write("a"));
    rename("a", "b", false);
    rename("b", "c", false);
    assertThat(view().calls()).isNull();
    BackingCall call = new BackingCall(view().nextChange().number(), 7, 8);
    group.apply(new GroupCommand.CallBacking(BUFFER, TREE, call));
    assertThat(view().calls()).isEqualTo(call);
    GroupState restored = group.restored(GroupState.CHUNK_BYTES_MIN);
    assertThat(restored.backing(BUFFER, TREE).calls()).isEqualTo(call);
    assertThat(restored.digest()).isEqualTo(group.state.digest());
    change();
    assertThat(view().nextChange()).isNotNull();
    assertThat(view().calls()).isNull();
  }

  @Test
  void whatIsReleasedIsReadFromTheStoreAsFarAsItWasNotCutOffSince() {
    long file = write("a");
    drain(file);
    assertThat(view().releasable()).containsExactly(file);
    group.apply(new GroupCommand.Release(BUFFER, TREE, List.of(file)));
    assertThat(group.applied.dead()).hasSize(1);
    assertThat(group.dead(TestGroup.SESSION, List.of(256L))).containsExactly(256L);
    assertThat(group.runs(file)).isEmpty();
    assertThat(group.stat(file).sizeBytes()).isEqualTo(100);
    assertThat(backedBytes(file)).isEqualTo(100);
    setSize(file, 40);
    setSize(file, 90);
    assertThat(backedBytes(file)).isEqualTo(40);
    group.publish(file, TestGroup.piece(10, 10, ++pieces));
    assertThat(group.runs(file)).hasSize(1);
    drain(file);
    assertThat(backedBytes(file)).isEqualTo(40);
  }

  @Test
  void aHoleIsNotMadeOfWhatTheStoreAloneHas() {
    long file = write("a");
    drain(file);
    // Nothing is released yet: a hole is a hole, and the store has the file no longer.
    group.change(new Names.Punch(file, 90, 20));
    assertThat(view().isDurable(file)).isFalse();
    assertThat(group.runs(file)).hasSize(1).allMatch(run -> run.lengthBytes() == 90);
    drain(file);
    group.apply(new GroupCommand.Release(BUFFER, TREE, List.of(file)));
    group.publish(file, TestGroup.piece(95, 20, ++pieces));
    Names.Punched punched =
        group.must(Names.Punched.class, group.change(new Names.Punch(file, 50, 60)));
    assertThat(punched.backedBytes()).isEqualTo(100);
    assertThat(punched.sizeBytes()).isEqualTo(115);
    assertThat(group.runs(file))
        .extracting(Names.Run::offset, Names.Run::lengthBytes)
        .containsExactly(tuple(95L, 5), tuple(110L, 5));
  }

  @Test
  void whatAHoleIsMadeOfIsKeptWhileAnAttemptMayReadIt() {
    long file = write("a");
    int attempt = begin(file);
    group.change(new Names.Punch(file, 0, 100));
    assertThat(group.applied.dead()).isEmpty();
    commit(file, attempt);
    changeAll();
    assertThat(view().isDurable(file)).isFalse();
    assertThat(group.dead(TestGroup.SESSION, List.of(256L))).containsExactly(256L);
  }

  @Test
  void onlyWhatTheStoreHasIsReleased() {
    long file = write("a");
    group.apply(new GroupCommand.Release(BUFFER, TREE, List.of(file)));
    assertThat(group.runs(file)).hasSize(1);
    drain(file);
    group.publish(file, TestGroup.piece(0, 10, ++pieces));
    group.apply(new GroupCommand.Release(BUFFER, TREE, List.of(file)));
    assertThat(group.runs(file)).hasSize(2);
  }

  @Test
  void whatDiesWhileAnAttemptMayReadItIsKept() {
    long file = write("a");
    int attempt = begin(file);
    group.publish(file, TestGroup.piece(0, 100, ++pieces));
    assertThat(group.applied.dead()).isEmpty();
    assertThat(group.dead(TestGroup.SESSION, List.of(256L))).isEmpty();
    group.apply(new GroupCommand.EndDrain(BUFFER, TREE, file, attempt));
    assertThat(group.applied.dead()).hasSize(1);
    assertThat(group.dead(TestGroup.SESSION, List.of(256L))).containsExactly(256L);
  }

  @Test
  void aRenameOverAnOlderFileLeavesThatInTheStoreUntilTheNewOneIsThere() {
    long old = write("x");
    drain(old);
    long young = write("y");
    group.change(new Names.Rename(TestGroup.ROOT, "y", TestGroup.ROOT, "x", false, false));
    changeAll();
    assertThat(stored).containsEntry("/x", content(old, 4));
    drain(young);
    assertThat(stored)
        .containsExactly(Map.entry("/x", content(young, group.stat(young).version())));
    group.change(new Names.Unlink(TestGroup.ROOT, "x"));
    changeAll();
    assertThat(stored).isEmpty();
  }

  @Test
  void whatOnlyTheStoreHasStaysThereWhileSomebodyMayHaveItOpen() {
    long file = write("x");
    drain(file);
    group.apply(new GroupCommand.Release(BUFFER, TREE, List.of(file)));
    group.change(new Names.Unlink(TestGroup.ROOT, "x"));
    changeAll();
    BackingView.Stored known = view().stored(file);
    assertThat(known).isNotNull();
    assertThat(stored).containsOnlyKeys(known.name()).doesNotContainKey("/x");
    group.apply(new GroupCommand.Forget(BUFFER, TREE, List.of(file)));
    changeAll();
    assertThat(stored).isEmpty();
    assertThat(view().stored(file)).isNull();
  }

  @Test
  void anAttemptIsOfNoUseOnceItIsOver() {
    long file = write("a");
    int attempt = begin(file);
    group.apply(new GroupCommand.EndDrain(BUFFER, TREE, file, attempt));
    commit(file, attempt);
    assertThat(group.code(group.applied.reply())).isEqualTo(ErrorCode.INVALID);
    assertThat(begin(file)).isEqualTo(attempt + 1);
  }

  @Test
  void whatRemainsUnderANameGoesThoughTheFileThatWasToReplaceItNeverGotThere() {
    drain(write("x"));
    long young = write("y");
    int attempt = begin(young);
    group.change(new Names.Rename(TestGroup.ROOT, "y", TestGroup.ROOT, "x", false, false));
    commit(young, attempt);
    change(true);
    assertThat(stored).containsOnlyKeys("/x");
    group.change(new Names.Unlink(TestGroup.ROOT, "x"));
    changeAll();
    assertThat(stored).isEmpty();
  }

  @Test
  void whatRemainsUnderANameGoesThoughTheFileThatWasRenamedToItNeverGotThere() {
    for (boolean unlinks : List.of(true, false)) {
      DrainTest test = new DrainTest();
      test.renameOverDrainedThoughItsCommitFails();
      test.changeAll();
      assertThat(test.stored).containsOnlyKeys("/x");
      if (unlinks) test.group.change(new Names.Unlink(TestGroup.ROOT, "x"));
      else test.rename("x", "z", false);
      test.changeAll();
      assertThat(test.stored).isEmpty();
    }
  }

  @Test
  void aFileThatNeverGotToTheNameItWasRenamedToReplacesWhatRemainsThereLater() {
    long young = renameOverDrainedThoughItsCommitFails();
    changeAll();
    drain(young);
    assertThat(stored)
        .containsExactly(Map.entry("/x", content(young, group.stat(young).version())));
  }

  @Test
  void whatRemainsUnderANameGoesThoughAFileThatIsStoredUnderAnotherHasIt() {
    renameOverDrainedThoughItsCommitFails();
    group.change(new Names.Unlink(TestGroup.ROOT, "x"));
    long linked = write("b");
    commit(linked, begin(linked));
    group.change(new Names.MakeLink(TestGroup.ROOT, "b", TestGroup.ROOT, "x"));
    changeAll();
    assertThat(stored).containsOnlyKeys("/b");
  }

  /**
   * The store has a file "x"; another is about to be stored as "y" when it is renamed over that,
   * and cannot be. Its rename in the store is still to come.
   */
  private long renameOverDrainedThoughItsCommitFails() {
    drain(write("x"));
    long young = write("y");
    commit(young, begin(young));
    rename("y", "x", false);
    change(true);
    return young;
  }

  @Test
  void directoriesAreFoundOneBehindTheOther() {
    for (String path : List.of("d", "d/e", "d/e/f", "d/g", "h")) {
      group.change(new Names.MakeDirectory(TestGroup.ROOT, path, 0755));
    }
    write("d/a");
    List<String> found = new ArrayList<>();
    for (String at = ""; at != null; at = view().directoryBehind(at)) found.add(at);
    assertThat(found).containsExactly("", "/d", "/d/e", "/d/e/f", "/d/g", "/h");
    assertThat(view().directoryBehind("/d/e/gone/far")).isEqualTo("/d/g");
    assertThat(view().directoryBehind("/gone")).isEqualTo("/h");
  }

  @Test
  void whatIsReplacedWhileItFailsToGetItsNameHasNoSayOverIt() throws MalformedFields {
    long old = write("a");
    drain(old);
    group.publish(old, TestGroup.piece(0, 100, ++pieces));
    commit(old, begin(old));
    long replacing = write("b");
    rename("b", "a", false);
    change(true);
    assertThat(view().stored(old)).isNull();
    drain(replacing);
    changeAll();
    assertThat(stored.keySet()).containsExactly("/a");
    assertThat(entry(replacing).state()).isEqualTo(Names.DrainState.DURABLE);
  }

  @Test
  void namesInTheStoreBecomeWhatNamesHereAre() throws MalformedFields {
    long seed = TestSeed.first("DrainTest");
    System.out.println("DrainTest seed " + seed);
    Random random = new Random(seed);
    for (int run = 0; run < 60; run++) {
      DrainTest test = new DrainTest();
      test.random(random);
    }
  }

  private void random(Random random) throws MalformedFields {
    String[] paths = {"a", "b", "d/a", "d/b", "e/a", "e/f/a", "d", "e", "e/f"};
    Map<Long, Integer> open = new TreeMap<>();
    for (int step = 0; step < 150; step++) {
      String one = paths[random.nextInt(paths.length)];
      String other = paths[random.nextInt(paths.length)];
      switch (random.nextInt(12)) {
        case 0 -> group.change(new Names.MakeDirectory(TestGroup.ROOT, one, 0755));
        case 1, 2 -> {
          if (group.change(TestGroup.open(one, true, false)) instanceof Names.NodeIs made) {
            group.change(
                new Names.Publish(
                    made.attributes().number(),
                    false,
                    true,
                    List.of(TestGroup.piece(random.nextInt(50), 100, ++pieces))));
          }
        }
        case 3 -> rename(one, other, random.nextInt(3) == 0);
        case 4 -> rename(one, other, false);
        case 5 -> group.change(new Names.Unlink(TestGroup.ROOT, one));
        case 6 -> group.change(new Names.RemoveDirectory(TestGroup.ROOT, one));
        case 7 -> change(random.nextInt(3) == 0);
        case 8 -> {
          List<Long> dirty = dirty();
          if (dirty.isEmpty()) continue;
          long file = dirty.get(random.nextInt(dirty.size()));
          if (view().attempt(file) == null) open.put(file, begin(file));
        }
        case 9 -> {
          open.forEach(this::commit);
          open.clear();
        }
        case 10 -> group.change(new Names.MakeLink(TestGroup.ROOT, one, TestGroup.ROOT, other));
        default -> group.apply(new GroupCommand.Release(BUFFER, TREE, view().releasable()));
      }
    }
    assertThat(group.state.digest()).isEqualTo(group.replayed().digest());
    assertThat(group.state.digest()).isEqualTo(group.restored(GroupState.CHUNK_BYTES_MIN).digest());
    for (BackingView.UnderWay each : view().underWay()) {
      group.apply(new GroupCommand.EndDrain(BUFFER, TREE, each.file(), each.attempt().number()));
    }
    changeAll();
    for (long file : dirty()) drain(file);
    for (FileId orphan : group.state.orphans()) {
      group.apply(new GroupCommand.Forget(BUFFER, TREE, List.of(orphan.number())));
    }
    changeAll();
    Map<String, String> expected = new TreeMap<>();
    Names.LedgerIs ledger =
        group.must(Names.LedgerIs.class, group.ask(new Names.GetLedger(0, 1000)));
    for (Names.LedgerEntry entry : ledger.entries()) {
      assertThat(entry.state()).isEqualTo(Names.DrainState.DURABLE);
      BackingView.Stored known = view().stored(entry.file());
      assertThat(known).isNotNull();
      expected.put(known.name(), content(entry.file(), entry.version()));
      if (group.stat(entry.file()).links() == 1) assertThat(known.name()).isEqualTo(entry.path());
    }
    assertThat(stored).isEqualTo(expected);
  }
}
