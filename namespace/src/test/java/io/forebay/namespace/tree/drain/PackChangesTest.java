// SPDX-License-Identifier: Apache-2.0

package io.forebay.namespace.tree.drain;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.base.FileId;
import io.forebay.base.PackPlace;
import io.forebay.base.fields.MalformedFields;
import io.forebay.namespace.GroupCommand;
import io.forebay.namespace.GroupState;
import io.forebay.namespace.TestGroup;
import io.forebay.namespace.tree.backed.BackingChange;
import io.forebay.namespace.tree.backed.OpenPack;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Names;
import io.forebay.wire.message.Replies;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Several files on their way to the store together, as the journal knows them. */
class PackChangesTest extends DrainedGroup {
  private Message apply(GroupCommand command) {
    return group.apply(command);
  }

  private OpenPack beginPack(Long... files) {
    List<Long> versions = new ArrayList<>();
    for (long file : files) versions.add(group.stat(file).version());
    apply(new GroupCommand.BeginPack(BUFFER, TREE, List.of(files), versions, group.now()));
    OpenPack pack = view().packs().getLast();
    apply(new GroupCommand.NotePack(BUFFER, TREE, pack.order(), "handle"));
    return pack;
  }

  private static List<String> tags(OpenPack pack) {
    List<String> tags = new ArrayList<>();
    for (int i = 0; i < pack.files().size(); i++) tags.add(tag(pack, i));
    return tags;
  }

  private static String tag(OpenPack pack, int entry) {
    return new PackPlace("b" + pack.order(), entry, 0, 100, pack.order()).toString();
  }

  private Message commitPack(OpenPack pack) {
    return apply(new GroupCommand.CommitPack(BUFFER, TREE, pack.order()));
  }

  private void named(OpenPack pack, boolean done, Integer... refused) {
    BackingChange next = view().nextChange();
    assertThat(next).isInstanceOf(BackingChange.CommitPack.class);
    PackOutcome outcome = new PackOutcome(next.number(), done, tags(pack), List.of(refused));
    apply(new GroupCommand.PackCommitted(BUFFER, TREE, outcome, group.now()));
  }

  private void store(Long... files) {
    OpenPack pack = beginPack(files);
    commitPack(pack);
    named(pack, true);
  }

  /** All changes that are left, which are then noted. */
  private List<BackingChange> noted() {
    List<BackingChange> changes = view().nextChanges(100);
    if (changes.isEmpty()) return changes;
    apply(
        new GroupCommand.BackingNoted(
            BUFFER, TREE, changes.getFirst().number(), changes.size(), group.now()));
    assertThat(view().nextChange()).isNull();
    return changes;
  }

  private void unlink(String name) {
    group.change(new Names.Unlink(TestGroup.ROOT, name));
    for (FileId orphan : group.state.orphans()) {
      apply(new GroupCommand.Forget(BUFFER, TREE, List.of(orphan.number())));
    }
  }

  private void rename(String from, String to) {
    group.change(new Names.Rename(TestGroup.ROOT, from, TestGroup.ROOT, to, false, false));
  }

  @Test
  void areDurableWhenTheirPackHasItsNameAndNotBefore() {
    long a = write("a");
    long b = write("b");
    OpenPack pack = beginPack(a, b);
    assertThat(pack.targets()).containsExactly("/a", "/b");
    assertThat(view().pack(pack.order()).handle()).isEqualTo("handle");
    assertThat(view().underWay()).isEmpty();
    commitPack(pack);
    assertThat(view().isDurable(a) || view().isDurable(b)).isFalse();
    assertThat(view().entry(a).state()).isEqualTo(Names.DrainState.NAMING);
    assertThat(apply(new GroupCommand.EndPack(BUFFER, TREE, pack.order())))
        .isInstanceOf(Replies.Failed.class);
    named(pack, true);
    assertThat(view().isDurable(a) && view().isDurable(b)).isTrue();
    assertThat(view().stored(b).contentTag()).isEqualTo(tag(pack, 1));
    assertThat(view().packs()).isEmpty();
    assertThat(view().nextChange()).isNull();
  }

  @Test
  void oneThatIsTakenBackCanBeBegunAgain() {
    long a = write("a");
    OpenPack pack = beginPack(a, write("b"));
    apply(new GroupCommand.EndPack(BUFFER, TREE, pack.order()));
    assertThat(view().attempt(a)).isNull();
    assertThat(commitPack(pack)).isInstanceOf(Replies.Failed.class);
    store(a);
    assertThat(view().isDurable(a)).isTrue();
  }

  @Test
  void oneThatIsGoneFromTheStoreIsDrainedAgain() {
    long a = write("a");
    OpenPack pack = beginPack(a);
    commitPack(pack);
    named(pack, false);
    assertThat(view().isDurable(a)).isFalse();
    assertThat(view().attempt(a)).isNull();
    assertThat(view().nextChange()).isNull();
  }

  @Test
  void aFileThatGotAnotherNameMeanwhileCountsNot() {
    long a = write("a");
    long b = write("b");
    long c = write("c");
    OpenPack pack = beginPack(a, b, c);
    rename("a", "x");
    unlink("b");
    commitPack(pack);
    named(pack, true);
    assertThat(view().isDurable(a)).isFalse();
    assertThat(view().isDurable(c)).isTrue();
    assertThat(noted())
        .extracting(change -> ((BackingChange.Forget) change).contentTag())
        .containsExactly(tag(pack, 0), tag(pack, 1));
  }

  @Test
  void ifAllGotOtherNamesThereIsNothingToName() {
    long a = write("a");
    OpenPack pack = beginPack(a);
    rename("a", "x");
    assertThat(commitPack(pack)).isInstanceOf(Replies.Failed.class);
    assertThat(view().nextChange()).isNull();
    apply(new GroupCommand.EndPack(BUFFER, TREE, pack.order()));
    assertThat(view().packs()).isEmpty();
  }

  @Test
  void whatIsReplacedIsForgotten() {
    long a = write("a");
    OpenPack first = beginPack(a);
    commitPack(first);
    named(first, true);
    group.publish(a, TestGroup.piece(0, 50, ++pieces));
    OpenPack second = beginPack(a);
    commitPack(second);
    named(second, true);
    assertThat(noted())
        .singleElement()
        .isInstanceOfSatisfying(
            BackingChange.Forget.class,
            change -> assertThat(change.contentTag()).isEqualTo(tag(first, 0)));
    // And by a file of its own.
    group.publish(a, TestGroup.piece(0, 60, ++pieces));
    commit(a, begin(a));
    assertThat(change()).isTrue();
    assertThat(noted())
        .singleElement()
        .isInstanceOfSatisfying(
            BackingChange.Forget.class,
            change -> assertThat(change.contentTag()).isEqualTo(tag(second, 0)));
  }

  @Test
  void anotherFileOfTheNameReplacesIt() {
    long a = write("a");
    long b = write("b");
    store(a, b);
    String tag = view().stored(a).contentTag();
    unlink("a");
    assertThat(noted()).singleElement().isInstanceOf(BackingChange.Delete.class);
    rename("b", "a");
    assertThat(noted()).singleElement().isInstanceOf(BackingChange.Rename.class);
    assertThat(view().stored(b).name()).isEqualTo("/a");
    assertThat(view().stored(b).contentTag()).isNotEqualTo(tag);
    assertThat(view().isDurable(b)).isTrue();
  }

  @Test
  void aFileOfSomebodyElseKeepsItsName() {
    long a = write("a");
    long b = write("b");
    OpenPack pack = beginPack(a, b);
    commitPack(pack);
    named(pack, true, 0);
    assertThat(view().isDurable(a)).isFalse();
    assertThat(view().isDurable(b)).isTrue();
    assertThat(noted()).singleElement().isInstanceOf(BackingChange.Forget.class);
  }

  @Test
  void aSnapshotHasThem() throws MalformedFields {
    OpenPack pack = beginPack(write("a"), write("b"));
    beginPack(write("c"));
    commitPack(pack);
    assertThat(group.state.digest()).isEqualTo(group.replayed().digest());
    assertThat(group.state.digest()).isEqualTo(group.restored(GroupState.CHUNK_BYTES_MIN).digest());
  }
}
