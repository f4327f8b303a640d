// SPDX-License-Identifier: Apache-2.0

package io.forebay.namespace.tree.drain;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.base.FileId;
import io.forebay.base.fields.MalformedFields;
import io.forebay.namespace.GroupCommand;
import io.forebay.namespace.GroupState;
import io.forebay.namespace.TestGroup;
import io.forebay.namespace.tree.BackingView;
import io.forebay.testing.TestSeed;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Names;
import io.forebay.wire.message.Replies;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** A tree over a backing store that had files before. */
class OverTest extends DrainedGroup {
  private static final int BYTES = 1000;
  private static final long ROOT = TestGroup.ROOT;

  OverTest() {
    super(TestGroup.begunOver());
    for (String name : List.of("/a", "/d/b", "/d/e/c", "/d/e/f")) stored.put(name, "old " + name);
  }

  private static FoundInBacking file(String name, String tag) {
    return new FoundInBacking(name, FoundInBacking.Kind.FILE, BYTES, 0640, 5, 6, 7, tag);
  }

  private Message adopt(long directory, long mark, List<FoundInBacking> found, int leftOut) {
    return group.apply(
        new GroupCommand.Adopt(BUFFER, TREE, directory, mark, found, true, leftOut, group.now()));
  }

  /** Looks into a directory of the store, as a home does. */
  private Message look(long directory) {
    String path = view().unseenPath(directory);
    assertThat(path).isNotNull();
    Map<String, FoundInBacking> found = new TreeMap<>();
    stored.forEach(
        (name, tag) -> {
          if (!name.startsWith(path + "/")) return;
          String below = name.substring(path.length() + 1);
          int slash = below.indexOf('/');
          String first = slash < 0 ? below : below.substring(0, slash);
          found.put(
              first,
              slash < 0
                  ? file(first, tag)
                  : new FoundInBacking(
                      first, FoundInBacking.Kind.DIRECTORY, 0, -1, -1, -1, -1, ""));
        });
    if (view().isSeenBefore(directory)) {
      for (String name : view().storedNames(directory)) {
        found.putIfAbsent(name, FoundInBacking.nothing(name));
      }
    }
    return adopt(directory, view().settledMark(), List.copyOf(found.values()), 0);
  }

  private long unseen(Names.Op op) {
    return group.state.unseen(BUFFER, TREE, group.who, op);
  }

  /** Looks wherever the request needs it, then makes it. */
  private Message lookAndChange(Names.Change change) {
    for (long directory = unseen(change); directory != 0; directory = unseen(change)) {
      changeAll();
      assertThat(look(directory)).isInstanceOf(Replies.Done.class);
    }
    return group.change(change);
  }

  private Names.Attributes lookUp(String path) {
    Names.Lookup question = new Names.Lookup(ROOT, path, false);
    for (long directory = unseen(question); directory != 0; directory = unseen(question)) {
      changeAll();
      look(directory);
    }
    return group.must(Names.NodeIs.class, group.ask(question)).attributes();
  }

  @Test
  void nothingIsDoneWithNamesThatAreNotKnown() {
    Names.Open open = TestGroup.open("a", true, false);
    long op = ++group.op;
    assertThat(group.code(group.change(op, open))).isEqualTo(ErrorCode.UNAVAILABLE);
    assertThat(group.tryAsk(new Names.ListDirectory(ROOT, "", "", 10)))
        .isEqualTo(ErrorCode.UNAVAILABLE);
    for (Names.Op each :
        List.of(
            open,
            new Names.Lookup(ROOT, "a", true),
            new Names.ListDirectory(ROOT, "", "", 10),
            new Names.MakeDirectory(ROOT, "new", 0755),
            new Names.Unlink(ROOT, "a"),
            new Names.Rename(ROOT, "a", ROOT, "b", false, false))) {
      assertThat(unseen(each)).as(each.toString()).isEqualTo(ROOT);
    }
    assertThat(unseen(new Names.Lookup(ROOT, "", true))).isZero();
    assertThat(unseen(new Names.GetLedger(0, 10))).isZero();
    look(ROOT);
    // Asked again it is done, not answered as before.
    Names.NodeIs opened = group.must(Names.NodeIs.class, group.change(op, open));
    assertThat(opened.attributes().sizeBytes()).isEqualTo(BYTES);
    assertThat(adopt(ROOT, 0, List.of(file("late", "t")), 0)).isInstanceOf(Replies.Failed.class);
  }

  @Test
  void whatIsFoundIsAFileThatTheStoreHasAllOf() throws MalformedFields {
    Names.Attributes file = lookUp("a");
    assertThat(file.mode()).isEqualTo(0640);
    assertThat(file.user()).isEqualTo(5);
    assertThat(file.modifyNanos()).isEqualTo(7);
    assertThat(file.allocatedBytes()).isZero();
    assertThat(backedBytes(file.number())).isEqualTo(BYTES);
    assertThat(entry(file.number()).state()).isEqualTo(Names.DrainState.DURABLE);
    assertThat(view().stored(file.number()))
        .isEqualTo(new BackingView.Stored("/a", "old /a", BYTES));
    assertThat(lookUp("d/e/c").sizeBytes()).isEqualTo(BYTES);
    assertThat(dirty()).isEmpty();
    assertThat(view().nextChange()).isNull();
    assertThat(group.state.digest()).isEqualTo(group.replayed().digest());
    assertThat(group.state.digest()).isEqualTo(group.restored(GroupState.CHUNK_BYTES_MIN).digest());
  }

  @Test
  void whatIsNotOverwrittenComesFromTheStore() {
    long file = lookUp("a").number();
    group.publish(file, TestGroup.piece(100, 10, ++pieces));
    assertThat(group.runs(file)).hasSize(1);
    assertThat(backedBytes(file)).isEqualTo(BYTES);
    assertThat(dirty()).containsExactly(file);
    assertThat(view().needsBacking(file)).isTrue();
    drain(file);
    assertThat(stored).containsEntry("/a", content(file, group.stat(file).version()));
    assertThat(entry(file).state()).isEqualTo(Names.DrainState.DURABLE);
    group.publish(file, TestGroup.piece(0, BYTES, ++pieces));
    assertThat(view().needsBacking(file)).isFalse();
  }

  @Test
  void whatIsDeletedIsHiddenAtOnceAndGoesInTheStore() {
    long file = lookUp("a").number();
    group.change(new Names.Unlink(ROOT, "a"));
    assertThat(group.tryAsk(new Names.Lookup(ROOT, "a", true))).isEqualTo(ErrorCode.NOT_FOUND);
    assertThat(stored).containsKey("/a");
    group.apply(new GroupCommand.Forget(BUFFER, TREE, List.of(file)));
    changeAll();
    assertThat(stored).containsOnlyKeys("/d/b", "/d/e/c", "/d/e/f");
  }

  @Test
  void aDirectoryIsRenamedWhenAllBelowIsKnown() {
    lookUp("d");
    Names.Rename rename = new Names.Rename(ROOT, "d", ROOT, "x", false, false);
    assertThat(group.tryChange(rename)).isEqualTo(ErrorCode.UNAVAILABLE);
    assertThat(lookAndChange(rename)).isInstanceOf(Replies.Done.class);
    changeAll();
    assertThat(stored).containsOnlyKeys("/a", "/x/b", "/x/e/c", "/x/e/f");
    assertThat(removedDirectories).containsExactly("/d/e", "/d");
  }

  @Test
  void aDirectoryWithSomethingThatIsNotShownIsNotEmpty() {
    look(ROOT);
    long directory = group.stat("d").number();
    Names.RemoveDirectory remove = new Names.RemoveDirectory(ROOT, "d");
    assertThat(unseen(remove)).isEqualTo(directory);
    adopt(directory, 0, List.of(), 2);
    assertThat(group.tryChange(remove)).isEqualTo(ErrorCode.NOT_EMPTY);
    Names.LedgerIs ledger =
        group.must(Names.LedgerIs.class, group.ask(new Names.GetLedger(0, 1000)));
    assertThat(ledger.leftOut()).isEqualTo(2);
  }

  @Test
  void lookedAtAgainWhatOthersChangedCountsUnlessSomethingIsNewerHere() {
    long changed = lookUp("d/e/c").number();
    long gone = lookUp("d/e/f").number();
    long written = lookUp("d/b").number();
    long root = lookUp("a").number();
    group.publish(written, TestGroup.piece(0, 10, ++pieces));
    stored.put("/d/e/c", "new");
    stored.put("/d/e/g", "new");
    stored.put("/d/b", "new");
    stored.put("/a", "new");
    stored.remove("/d/e/f");
    assertThat(group.tryChange(new Names.Refresh(ROOT, "d"))).isEqualTo(ErrorCode.NONE);
    assertThat(lookUp("d/e/c").number()).isEqualTo(changed);
    assertThat(view().stored(changed)).isEqualTo(new BackingView.Stored("/d/e/c", "new", BYTES));
    assertThat(group.tryAsk(new Names.Lookup(ROOT, "d/e/f", true))).isEqualTo(ErrorCode.NOT_FOUND);
    assertThat(group.state.isOrphan(new FileId(BUFFER, gone))).isTrue();
    assertThat(lookUp("d/e/g").sizeBytes()).isEqualTo(BYTES);
    assertThat(view().stored(written)).isEqualTo(new BackingView.Stored("/d/b", "old /d/b", BYTES));
    assertThat(view().stored(root)).isEqualTo(new BackingView.Stored("/a", "old /a", BYTES));
    assertThat(view().nextChange()).isNull();
  }

  @Test
  void whatWasLookedUpBeforeAChangeIsNotTaken() {
    long file = lookUp("a").number();
    group.change(new Names.Refresh(ROOT, "a"));
    long mark = view().settledMark();
    group.publish(file, TestGroup.piece(0, 10, ++pieces));
    drain(file);
    assertThat(adopt(ROOT, mark, List.of(file("a", "older")), 0))
        .isInstanceOf(Replies.Failed.class);
    assertThat(look(ROOT)).isInstanceOf(Replies.Done.class);
    assertThat(entry(file).state()).isEqualTo(Names.DrainState.DURABLE);
  }

  @Test
  void namesInTheStoreBecomeWhatNamesHereAre() throws MalformedFields {
    long seed = TestSeed.first("OverTest");
    System.out.println("OverTest seed " + seed);
    Random random = new Random(seed);
    for (int run = 0; run < 60; run++) new OverTest().random(random);
  }

  private void random(Random random) throws MalformedFields {
    String[] paths = {"a", "b", "d/a", "d/b", "d/e/c", "d/e/f", "d", "d/e", "x", "x/e/c"};
    for (int step = 0; step < 80; step++) {
      String one = paths[random.nextInt(paths.length)];
      String other = paths[random.nextInt(paths.length)];
      switch (random.nextInt(10)) {
        case 0 -> lookAndChange(new Names.MakeDirectory(ROOT, one, 0755));
        case 1, 2 -> {
          if (lookAndChange(TestGroup.open(one, true, random.nextInt(4) == 0))
              instanceof Names.NodeIs made) {
            group.publish(
                made.attributes().number(), TestGroup.piece(random.nextInt(50), 100, ++pieces));
          }
        }
        case 3, 4 ->
            lookAndChange(new Names.Rename(ROOT, one, ROOT, other, false, random.nextInt(3) == 0));
        case 5 -> lookAndChange(new Names.Unlink(ROOT, one));
        case 6 -> lookAndChange(new Names.RemoveDirectory(ROOT, one));
        case 7 -> change();
        case 8 -> lookAndChange(new Names.Refresh(ROOT, one));
        default -> {
          List<Long> dirty = dirty();
          if (dirty.isEmpty()) continue;
          long file = dirty.get(random.nextInt(dirty.size()));
          if (view().attempt(file) == null) commit(file, begin(file));
        }
      }
    }
    assertThat(group.state.digest()).isEqualTo(group.replayed().digest());
    assertThat(group.state.digest()).isEqualTo(group.restored(GroupState.CHUNK_BYTES_MIN).digest());
    settle();
    Map<String, String> expected = new TreeMap<>();
    Names.LedgerIs ledger =
        group.must(Names.LedgerIs.class, group.ask(new Names.GetLedger(0, 1000)));
    for (Names.LedgerEntry entry : ledger.entries()) {
      assertThat(entry.state()).isEqualTo(Names.DrainState.DURABLE);
      BackingView.Stored known = view().stored(entry.file());
      assertThat(known).isNotNull();
      assertThat(known.name()).isEqualTo(entry.path());
      expected.put(known.name(), known.contentTag());
    }
    assertThat(stored).isEqualTo(expected);
  }

  /** Looks everywhere and drains everything. */
  private void settle() {
    changeAll();
    List<String> paths = new ArrayList<>(List.of(""));
    while (!paths.isEmpty()) {
      String path = paths.removeLast();
      Names.ListDirectory list = new Names.ListDirectory(ROOT, path, "", 100);
      for (long directory = unseen(list); directory != 0; directory = unseen(list)) look(directory);
      for (Names.NamedNode each : group.must(Names.Listing.class, group.ask(list)).entries()) {
        boolean below = each.attributes().kind() == Names.Kind.DIRECTORY;
        if (below) paths.add(path.isEmpty() ? each.name() : path + "/" + each.name());
      }
    }
    for (long file : dirty()) drain(file);
    for (FileId orphan : group.state.orphans()) {
      group.apply(new GroupCommand.Forget(BUFFER, TREE, List.of(orphan.number())));
    }
    changeAll();
  }
}
