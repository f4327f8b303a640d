// SPDX-License-Identifier: Apache-2.0

package io.forebay.namespace;

import static io.forebay.namespace.TestGroup.BUFFER;
import static io.forebay.namespace.TestGroup.ROOT;
import static io.forebay.namespace.TestGroup.TREE;
import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.base.Bytes;
import io.forebay.namespace.GroupState.SessionKey;
import io.forebay.namespace.tree.drain.DrainedGroup;
import io.forebay.namespace.tree.node.NameLimits;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Identity;
import io.forebay.wire.message.Names;
import io.forebay.wire.message.Replies;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;

/** Changes that no honest client makes: long, deep, and many. */
class HostileChangesTest extends DrainedGroup {
  private static final int DEPTH = 5000;
  private static final long STACK_BYTES = 256 * 1024;
  private static final String LONG_TEXT = "x".repeat(1_800_000);

  /** A stack that nothing fits which goes down with the tree. */
  private static void onSmallStack(Runnable test) throws Exception {
    FutureTask<Void> task = new FutureTask<>(test, null);
    Thread thread = new Thread(null, task, "small stack", STACK_BYTES);
    thread.start();
    task.get();
  }

  /** Makes nested directories as mkdirat does, and says which is the last. */
  private static long nest(TestGroup group, long directory, int depth, String name) {
    long at = directory;
    for (int i = 0; i < depth; i++) {
      at =
          group
              .must(Names.NodeIs.class, group.change(op(), new Names.MakeDirectory(at, name, 0755)))
              .attributes()
              .number();
    }
    return at;
  }

  /** None, so that answers are not remembered. */
  private static long op() {
    return 0;
  }

  private long writeIn(long directory, String name) {
    Names.Open open = new Names.Open(directory, name, true, true, true, false, false, 0644);
    long file = group.must(Names.NodeIs.class, group.change(op(), open)).attributes().number();
    group.publish(file, TestGroup.piece(0, 100, ++pieces));
    return file;
  }

  private List<Bytes> snapshot() {
    List<Bytes> chunks = new ArrayList<>();
    group.state.snapshot(GroupState.CHUNK_BYTES_MIN, chunks::add);
    return chunks;
  }

  @Test
  void aJournalledPathOfMegabytesLeavesAStateThatCanBeWrittenDown() throws Exception {
    // As a journal of an earlier version may have it.
    assertThat(group.tryChange(new Names.MakeDirectory(12345, LONG_TEXT, 0755)))
        .isEqualTo(ErrorCode.NOT_FOUND);
    assertThat(group.tryChange(new Names.Unlink(ROOT, LONG_TEXT)))
        .isEqualTo(ErrorCode.NAME_TOO_LONG);
    for (Bytes chunk : snapshot()) assertThat(chunk.length()).isLessThan(16 * 1024);
    assertThat(group.replayed().digest()).isEqualTo(group.state.digest());
  }

  @Test
  void deepTreesAreWalkedOnAnyStack() throws Exception {
    onSmallStack(
        () -> {
          group.mkdir("top");
          long bottom = nest(group, group.stat("top").number(), DEPTH, "d");
          long file = writeIn(bottom, "f");
          Names.DrainIs drain =
              group.must(Names.DrainIs.class, group.ask(new Names.Drain(ROOT, "")));
          assertThat(drain.files()).isEqualTo(1);
          group.apply(new GroupCommand.WantDrain(BUFFER, TREE, ROOT));
          assertThat(view().isWanted(file)).isTrue();
          // Nothing can be asked for at such a path, so that the store never gets it.
          assertThat(
                  group.apply(
                      new GroupCommand.BeginDrain(
                          BUFFER, TREE, file, group.stat(file).version(), group.now())))
              .isInstanceOf(Replies.Failed.class);
          Names.LedgerIs ledger =
              group.must(Names.LedgerIs.class, group.ask(new Names.GetLedger(0, 10)));
          assertThat(ledger.entries().getFirst().path()).hasSizeLessThan(500).endsWith("/d/d/f");
          List<String> walked = new ArrayList<>();
          for (String at = view().directoryBehind("");
              at != null;
              at = view().directoryBehind(at)) {
            walked.add(at);
          }
          assertThat(walked).hasSize((Names.PATH_BYTES_MAX - "/top".length()) / "/d".length() + 1);
          assertThat(group.tryChange(new Names.Rename(ROOT, "top", ROOT, "other", false, false)))
              .isEqualTo(ErrorCode.NONE);
          while (change()) assertThat(stored).isEmpty();
          assertThat(snapshot()).isNotEmpty();
        });
  }

  @Test
  void aStoredFileIsNotMovedToAPathThatIsTooLong() {
    long file = write("f");
    commit(file, begin(file));
    while (change()) assertThat(stored).isNotEmpty();
    long deep = nest(group, ROOT, DEPTH, "d");
    assertThat(group.tryChange(new Names.Rename(ROOT, "f", deep, "f", false, false)))
        .isEqualTo(ErrorCode.NAME_TOO_LONG);
    assertThat(group.tryChange(new Names.MakeLink(ROOT, "f", deep, "f"))).isEqualTo(ErrorCode.NONE);
    // The store cannot call it by its other name.
    assertThat(group.tryChange(new Names.Unlink(ROOT, "f"))).isEqualTo(ErrorCode.NONE);
    while (change()) assertThat(stored.keySet()).allMatch(name -> name.length() < 100);
    for (Bytes chunk : snapshot()) assertThat(chunk.length()).isPositive();
  }

  @Test
  void lookingAgainAtADeepTreeNeedsNoStack() throws Exception {
    onSmallStack(
        () -> {
          TestGroup over = TestGroup.begunOver();
          over.apply(new GroupCommand.Adopt(BUFFER, TREE, ROOT, 0, List.of(), true, 0, over.now()));
          long top = nest(over, ROOT, 1, "top");
          nest(over, top, DEPTH, "d");
          assertThat(over.tryChange(new Names.Refresh(ROOT, "top"))).isEqualTo(ErrorCode.NONE);
          assertThat(over.state.unseen(BUFFER, TREE, over.who, new Names.Lookup(top, "d", true)))
              .isEqualTo(top);
          assertThat(over.tryChange(new Names.Rename(ROOT, "top", ROOT, "t", false, false)))
              .isEqualTo(ErrorCode.UNAVAILABLE);
        });
  }

  @Test
  void requestsAreBoundedBeforeTheyAreJournalled() {
    assertThat(code(new Names.MakeDirectory(ROOT, LONG_TEXT, 0)))
        .isEqualTo(ErrorCode.NAME_TOO_LONG);
    assertThat(code(new Names.MakeSymlink(ROOT, "s", LONG_TEXT)))
        .isEqualTo(ErrorCode.NAME_TOO_LONG);
    assertThat(code(new Names.Rename(ROOT, "a", ROOT, LONG_TEXT, false, false)))
        .isEqualTo(ErrorCode.NAME_TOO_LONG);
    assertThat(code(new Names.BeginSession(LONG_TEXT, 1))).isEqualTo(ErrorCode.NAME_TOO_LONG);
    assertThat(code(new Names.PutPair(LONG_TEXT, 1, 0, List.of())))
        .isEqualTo(ErrorCode.NAME_TOO_LONG);
    assertThat(code(new Names.PutFile(ROOT, LONG_TEXT, 0, 0, 1, 0, List.of())))
        .isEqualTo(ErrorCode.NAME_TOO_LONG);
    assertThat(code(new Names.ListPairs(LONG_TEXT, "", 1))).isEqualTo(ErrorCode.NAME_TOO_LONG);
    assertThat(code(new Names.GetExtra(ROOT, "", true, LONG_TEXT)))
        .isEqualTo(ErrorCode.NAME_TOO_LONG);
    Bytes value = Bytes.copyOf(new byte[NameLimits.EXTRA_VALUE_BYTES_MAX + 1]);
    assertThat(code(new Names.SetExtra(ROOT, "", true, "user.a", value, false, false)))
        .isEqualTo(ErrorCode.TOO_LARGE);
    List<Names.Piece> pieces = Collections.nCopies(Names.PIECES_MAX + 1, TestGroup.piece(0, 1, 1));
    assertThat(code(new Names.Publish(5, false, false, pieces))).isEqualTo(ErrorCode.TOO_LARGE);
    assertThat(code(new Names.Lookup(ROOT, "x".repeat(Names.PATH_BYTES_MAX), true)))
        .isEqualTo(ErrorCode.NONE);
    assertThat(RequestBounds.objection(request(-1, new Names.KeepAlive()))).isNotNull();
    assertThat(RequestBounds.objection(request(1 << 30, new Names.KeepAlive()))).isNotNull();
  }

  private static ErrorCode code(Names.Op op) {
    Replies.Failed objection = RequestBounds.objection(request(TREE, op));
    return objection == null ? ErrorCode.NONE : objection.code();
  }

  private static Names.Request request(int tree, Names.Op op) {
    return new Names.Request(
        TestGroup.HOME, 1, BUFFER, tree, 1, 1, 0, 0, true, Identity.root(), op);
  }

  @Test
  void noSessionLivesForEver() {
    group.session = 99;
    group.change(new Names.BeginSession("node", Long.MAX_VALUE));
    assertThat(group.state.expiryNanos(new SessionKey(BUFFER, TREE, 99)))
        .isEqualTo(NameLimits.EXPIRY_NANOS_MAX);
  }
}
