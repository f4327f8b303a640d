// SPDX-License-Identifier: Apache-2.0

package io.forebay.namespace;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.base.BundlePlace;
import io.forebay.base.FileId;
import io.forebay.base.fields.MalformedFields;
import io.forebay.namespace.tree.backed.OpenBundle;
import io.forebay.namespace.tree.backed.StoreChange;
import io.forebay.namespace.tree.drain.BundleOutcome;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Names;
import io.forebay.wire.message.Replies;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Several files on their way to the store together, as the journal knows them. */
class BundleChangesTest extends DrainedGroup {
  private Message apply(GroupCommand command) {
    return group.apply(command);
  }

  private OpenBundle beginBundle(Long... files) {
    List<Long> versions = new ArrayList<>();
    for (long file : files) versions.add(group.stat(file).version());
    apply(new GroupCommand.BeginBundle(BUFFER, TREE, List.of(files), versions, group.now()));
    OpenBundle bundle = view().bundles().getLast();
    apply(new GroupCommand.NoteBundle(BUFFER, TREE, bundle.order(), "handle"));
    return bundle;
  }

  private static List<String> tags(OpenBundle bundle) {
    List<String> tags = new ArrayList<>();
    for (int i = 0; i < bundle.files().size(); i++) tags.add(tag(bundle, i));
    return tags;
  }

  private static String tag(OpenBundle bundle, int entry) {
    return new BundlePlace("b" + bundle.order(), entry, 0, 100, bundle.order()).toString();
  }

  private Message commitBundle(OpenBundle bundle) {
    return apply(new GroupCommand.CommitBundle(BUFFER, TREE, bundle.order()));
  }

  private void named(OpenBundle bundle, boolean done, Integer... refused) {
    StoreChange next = view().nextChange();
    assertThat(next).isInstanceOf(StoreChange.CommitBundle.class);
    BundleOutcome outcome = new BundleOutcome(next.number(), done, tags(bundle), List.of(refused));
    apply(new GroupCommand.BundleCommitted(BUFFER, TREE, outcome, group.now()));
  }

  private void store(Long... files) {
    OpenBundle bundle = beginBundle(files);
    commitBundle(bundle);
    named(bundle, true);
  }

  /** All changes that are left, which are then noted. */
  private List<StoreChange> noted() {
    List<StoreChange> changes = view().nextChanges(100);
    if (changes.isEmpty()) return changes;
    apply(
        new GroupCommand.StoreNoted(
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
  void areDurableWhenTheirBundleHasItsNameAndNotBefore() {
    long a = write("a");
    long b = write("b");
    OpenBundle bundle = beginBundle(a, b);
    assertThat(bundle.targets()).containsExactly("/a", "/b");
    assertThat(view().bundle(bundle.order()).handle()).isEqualTo("handle");
    assertThat(view().underWay()).isEmpty();
    commitBundle(bundle);
    assertThat(view().isDurable(a) || view().isDurable(b)).isFalse();
    assertThat(view().entry(a).state()).isEqualTo(Names.DrainState.NAMING);
    assertThat(apply(new GroupCommand.EndBundle(BUFFER, TREE, bundle.order())))
        .isInstanceOf(Replies.Failed.class);
    named(bundle, true);
    assertThat(view().isDurable(a) && view().isDurable(b)).isTrue();
    assertThat(view().stored(b).contentTag()).isEqualTo(tag(bundle, 1));
    assertThat(view().bundles()).isEmpty();
    assertThat(view().nextChange()).isNull();
  }

  @Test
  void oneThatIsTakenBackCanBeBegunAgain() {
    long a = write("a");
    OpenBundle bundle = beginBundle(a, write("b"));
    apply(new GroupCommand.EndBundle(BUFFER, TREE, bundle.order()));
    assertThat(view().attempt(a)).isNull();
    assertThat(commitBundle(bundle)).isInstanceOf(Replies.Failed.class);
    store(a);
    assertThat(view().isDurable(a)).isTrue();
  }

  @Test
  void oneThatIsGoneFromTheStoreIsDrainedAgain() {
    long a = write("a");
    OpenBundle bundle = beginBundle(a);
    commitBundle(bundle);
    named(bundle, false);
    assertThat(view().isDurable(a)).isFalse();
    assertThat(view().attempt(a)).isNull();
    assertThat(view().nextChange()).isNull();
  }

  @Test
  void aFileThatGotAnotherNameMeanwhileCountsNot() {
    long a = write("a");
    long b = write("b");
    long c = write("c");
    OpenBundle bundle = beginBundle(a, b, c);
    rename("a", "x");
    unlink("b");
    commitBundle(bundle);
    named(bundle, true);
    assertThat(view().isDurable(a)).isFalse();
    assertThat(view().isDurable(c)).isTrue();
    assertThat(noted())
        .extracting(change -> ((StoreChange.Forget) change).contentTag())
        .containsExactly(tag(bundle, 0), tag(bundle, 1));
  }

  @Test
  void ifAllGotOtherNamesThereIsNothingToName() {
    long a = write("a");
    OpenBundle bundle = beginBundle(a);
    rename("a", "x");
    assertThat(commitBundle(bundle)).isInstanceOf(Replies.Failed.class);
    assertThat(view().nextChange()).isNull();
    apply(new GroupCommand.EndBundle(BUFFER, TREE, bundle.order()));
    assertThat(view().bundles()).isEmpty();
  }

  @Test
  void whatIsReplacedIsForgotten() {
    long a = write("a");
    OpenBundle first = beginBundle(a);
    commitBundle(first);
    named(first, true);
    group.publish(a, TestGroup.piece(0, 50, ++pieces));
    OpenBundle second = beginBundle(a);
    commitBundle(second);
    named(second, true);
    assertThat(noted())
        .singleElement()
        .isInstanceOfSatisfying(
            StoreChange.Forget.class,
            change -> assertThat(change.contentTag()).isEqualTo(tag(first, 0)));
    // And by a file of its own.
    group.publish(a, TestGroup.piece(0, 60, ++pieces));
    commit(a, begin(a));
    assertThat(change()).isTrue();
    assertThat(noted())
        .singleElement()
        .isInstanceOfSatisfying(
            StoreChange.Forget.class,
            change -> assertThat(change.contentTag()).isEqualTo(tag(second, 0)));
  }

  @Test
  void anotherFileOfTheNameReplacesIt() {
    long a = write("a");
    long b = write("b");
    store(a, b);
    String tag = view().stored(a).contentTag();
    unlink("a");
    assertThat(noted()).singleElement().isInstanceOf(StoreChange.Delete.class);
    rename("b", "a");
    assertThat(noted()).singleElement().isInstanceOf(StoreChange.Rename.class);
    assertThat(view().stored(b).name()).isEqualTo("/a");
    assertThat(view().stored(b).contentTag()).isNotEqualTo(tag);
    assertThat(view().isDurable(b)).isTrue();
  }

  @Test
  void aFileOfSomebodyElseKeepsItsName() {
    long a = write("a");
    long b = write("b");
    OpenBundle bundle = beginBundle(a, b);
    commitBundle(bundle);
    named(bundle, true, 0);
    assertThat(view().isDurable(a)).isFalse();
    assertThat(view().isDurable(b)).isTrue();
    assertThat(noted()).singleElement().isInstanceOf(StoreChange.Forget.class);
  }

  @Test
  void aSnapshotHasThem() throws MalformedFields {
    OpenBundle bundle = beginBundle(write("a"), write("b"));
    beginBundle(write("c"));
    commitBundle(bundle);
    assertThat(group.state.digest()).isEqualTo(group.replayed().digest());
    assertThat(group.state.digest()).isEqualTo(group.restored(GroupState.CHUNK_BYTES_MIN).digest());
  }
}
