// SPDX-License-Identifier: Apache-2.0

package io.forebay.namespace;

import static io.forebay.namespace.TestGroup.OTHER;
import static io.forebay.namespace.TestGroup.ROOT;
import static io.forebay.namespace.TestGroup.piece;
import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.base.Bytes;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Identity;
import io.forebay.wire.message.Names;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** What is refused, and with which code, beyond what is compared with Linux. */
class ErrorTableTest {
  private static final long NO_SUCH = 4_711;
  private static final Identity STRANGER = new Identity(1_000, List.of(1_000));
  private static final String LONG_NAME = "n".repeat(256);
  private static final String LONG_PATH = "p/".repeat(2_049);

  private TestGroup group;
  private long file;
  private long symlink;
  private long pair;

  private record Row(String what, ErrorCode code, Names.Op op) {}

  @BeforeEach
  void begin() {
    group = TestGroup.begun();
    group.mkdir("d");
    group.mkdir("d/e");
    file = group.create("f").number();
    group.publish(file, piece(0, 100, 1));
    group.change(new Names.MakeSymlink(ROOT, "s", "f"));
    symlink = group.stat("s").number();
    group.change(new Names.MakeSymlink(ROOT, "loop", "loop"));
    pair = group.must(Names.NumbersAre.class, group.change(new Names.TakeNumbers(2))).first();
    group.change(new Names.PutPair("key", pair, 10, List.of(piece(0, 10, 2))));
  }

  private ErrorCode outcome(Names.Op op) {
    return switch (op) {
      case Names.Change change -> group.code(group.change(0, change));
      case Names.Question question -> group.tryAsk(question);
    };
  }

  @TestFactory
  List<DynamicTest> refusals() {
    return rows().stream().map(row -> DynamicTest.dynamicTest(row.what, () -> check(row))).toList();
  }

  private void check(Row row) {
    begin();
    group.change(0, new Names.Release(NO_SUCH));
    long unchanged = group.state.digest();
    begin();
    ErrorCode code = outcome(row.op);
    assertThat(code).isEqualTo(row.code);
    if (row.op instanceof Names.Question) group.change(0, new Names.Release(NO_SUCH));
    boolean changed = row.op instanceof Names.Change && code == ErrorCode.NONE;
    if (!changed) assertThat(group.state.digest()).isEqualTo(unchanged);
  }

  private List<Row> rows() {
    return List.of(
        row("lookup of nothing", ErrorCode.NOT_FOUND, lookup(ROOT, "x")),
        row("lookup by a number never used", ErrorCode.STALE_HANDLE, lookup(NO_SUCH, "")),
        row("lookup below a file", ErrorCode.NOT_A_DIRECTORY, lookup(ROOT, "f/x")),
        row("lookup below a file's number", ErrorCode.NOT_A_DIRECTORY, lookup(file, "x")),
        row("lookup of a file with a slash", ErrorCode.NOT_A_DIRECTORY, lookup(ROOT, "f/")),
        row("a long name", ErrorCode.NAME_TOO_LONG, lookup(ROOT, LONG_NAME)),
        row("a name long in UTF-8", ErrorCode.NAME_TOO_LONG, lookup(ROOT, "ä".repeat(128))),
        row("a name just short enough", ErrorCode.NOT_FOUND, lookup(ROOT, "ä".repeat(127))),
        row("a long path", ErrorCode.NAME_TOO_LONG, lookup(ROOT, LONG_PATH)),
        row("a loop", ErrorCode.TOO_MANY_SYMLINKS, lookup(ROOT, "loop/x")),
        row("a byte 0", ErrorCode.INVALID, lookup(ROOT, "a\0b")),
        row("a path into pairs", ErrorCode.NOT_PERMITTED, lookup(Names.PAIRS, "key")),
        row("the root's own parent", ErrorCode.NONE, lookup(ROOT, "../../d")),
        row("an absolute path", ErrorCode.NONE, lookup(file, "/d/e")),
        row("list a file", ErrorCode.NOT_A_DIRECTORY, list("f", 10)),
        row("list none", ErrorCode.INVALID, list("d", 0)),
        row("read a link that is none", ErrorCode.INVALID, new Names.ReadLink(ROOT, "f")),
        row("open a symlink's number", ErrorCode.TOO_MANY_SYMLINKS, open(symlink, false)),
        row("open a pair to write", ErrorCode.INVALID, open(pair, true)),
        row("open a pair to read", ErrorCode.NONE, open(pair, false)),
        row("mkdir in pairs", ErrorCode.NOT_PERMITTED, mkdir(Names.PAIRS, "x")),
        row("mkdir of nothing", ErrorCode.EXISTS, mkdir(ROOT, "")),
        row("symlink to nothing", ErrorCode.NOT_FOUND, symlink("")),
        row("symlink to a long path", ErrorCode.NAME_TOO_LONG, symlink(LONG_PATH)),
        row("link to a directory", ErrorCode.NOT_PERMITTED, link(ROOT, "d", "x")),
        row("link over a name", ErrorCode.EXISTS, link(ROOT, "d", "f")),
        row("link to a pair", ErrorCode.NOT_PERMITTED, link(pair, "", "x")),
        row("link by number", ErrorCode.NONE, link(file, "", "x")),
        row("unlink by number", ErrorCode.INVALID, new Names.Unlink(file, "")),
        row("unlink a directory's number", ErrorCode.IS_A_DIRECTORY, new Names.Unlink(ROOT, "")),
        row("rmdir the root", ErrorCode.INVALID, new Names.RemoveDirectory(ROOT, "/")),
        row("rmdir what is full", ErrorCode.NOT_EMPTY, new Names.RemoveDirectory(ROOT, "d")),
        row("rename into itself", ErrorCode.INVALID, rename("d", "d/e/x")),
        row("rename over what contains it", ErrorCode.NOT_EMPTY, rename("d/e", "d")),
        row("rename a number", ErrorCode.INVALID, rename("", "x")),
        row("publish nowhere", ErrorCode.STALE_HANDLE, publish(NO_SUCH, piece(0, 1, 9))),
        row("publish into a directory", ErrorCode.IS_A_DIRECTORY, publish(ROOT, piece(0, 1, 9))),
        row("publish into a symlink", ErrorCode.INVALID, publish(symlink, piece(0, 1, 9))),
        row("publish into a pair", ErrorCode.INVALID, publish(pair, piece(0, 1, 9))),
        row("publish an empty piece", ErrorCode.INVALID, publish(file, piece(0, 0, 9))),
        row("publish before the start", ErrorCode.INVALID, publish(file, piece(-1, 1, 9))),
        row("publish far out", ErrorCode.TOO_LARGE, publish(file, piece(1L << 62, 1, 9))),
        row("publish beyond", ErrorCode.TOO_LARGE, publish(file, piece(Long.MAX_VALUE, 1, 9))),
        row("publish at the end", ErrorCode.NONE, publish(file, piece((1L << 62) - 1, 1, 9))),
        row(
            "publish one sequence twice",
            ErrorCode.INVALID,
            publish(file, piece(0, 1, 9), new Names.Piece(5, 1, OTHER, 9 * 256))),
        row(
            "publish too many",
            ErrorCode.INVALID,
            new Names.Publish(
                file, false, false, Collections.nCopies(Names.PIECES_MAX + 1, piece(0, 1, 9)))),
        row("a negative size", ErrorCode.INVALID, resize(file, "", -5)),
        row("a huge size", ErrorCode.TOO_LARGE, resize(file, "", Long.MAX_VALUE)),
        row("the size of a directory", ErrorCode.IS_A_DIRECTORY, resize(ROOT, "d", 5)),
        row("the size of a pair", ErrorCode.INVALID, resize(pair, "", 5)),
        row("a hole of no length", ErrorCode.INVALID, new Names.Punch(file, 0, 0)),
        row("a hole at no offset", ErrorCode.INVALID, new Names.Punch(file, -1, 5)),
        row("a hole of any length", ErrorCode.NONE, new Names.Punch(file, 5, Long.MAX_VALUE)),
        row("a hole in a directory", ErrorCode.IS_A_DIRECTORY, new Names.Punch(ROOT, 0, 1)),
        row("a hole in a pair", ErrorCode.INVALID, new Names.Punch(pair, 0, 1)),
        row("allocate nothing", ErrorCode.INVALID, allocate(file, 0)),
        row("allocate too far", ErrorCode.TOO_LARGE, allocate(file, Long.MAX_VALUE)),
        row("allocate to a directory", ErrorCode.IS_A_DIRECTORY, allocate(ROOT, 1)),
        row("allocate to a pair", ErrorCode.INVALID, allocate(pair, 1)),
        row("a strange access", ErrorCode.INVALID, new Names.CheckAccess(file, "", true, 8)),
        row("access", ErrorCode.NONE, new Names.CheckAccess(ROOT, "f", true, 6)),
        row("access to nothing", ErrorCode.NOT_FOUND, new Names.CheckAccess(ROOT, "x", true, 0)),
        row("runs of a directory", ErrorCode.IS_A_DIRECTORY, runs(ROOT, 0, 1, 1)),
        row("runs at no offset", ErrorCode.INVALID, runs(file, -1, 1, 1)),
        row("no runs", ErrorCode.INVALID, runs(file, 0, 1, 0)),
        row("no numbers", ErrorCode.INVALID, new Names.TakeNumbers(0)),
        row("too many numbers", ErrorCode.INVALID, new Names.TakeNumbers(1 << 20)),
        row("an empty key", ErrorCode.INVALID, put("", pair + 1, 0)),
        row("a long key", ErrorCode.NAME_TOO_LONG, put("k".repeat(1_025), pair + 1, 0)),
        row("a key of the longest", ErrorCode.NONE, put("k".repeat(1_024), pair + 1, 0)),
        row("a number used before", ErrorCode.INVALID, put("k", pair, 0)),
        row("a number not taken", ErrorCode.INVALID, put("k", pair + 2, 0)),
        row("a value with a gap", ErrorCode.INVALID, put("k", pair + 1, 10, piece(5, 5, 9))),
        row("a value cut short", ErrorCode.INVALID, put("k", pair + 1, 10, piece(0, 9, 9))),
        row(
            "a value that overlaps itself",
            ErrorCode.INVALID,
            put("k", pair + 1, 10, piece(0, 6, 9), piece(5, 5, 10))),
        row("a value published before", ErrorCode.INVALID, put("k", pair + 1, 5, piece(0, 5, 1))),
        row("put a file", ErrorCode.NONE, putFile("new", pair + 1, 0)),
        row("put a file over another", ErrorCode.EXISTS, putFile("f", pair + 1, 0)),
        row("put a file over a link", ErrorCode.EXISTS, putFile("s", pair + 1, 0)),
        row("put a file as a directory", ErrorCode.IS_A_DIRECTORY, putFile("x/", pair + 1, 0)),
        row("put a file into nothing", ErrorCode.NOT_FOUND, putFile("x/y", pair + 1, 0)),
        row("put a file of a used number", ErrorCode.INVALID, putFile("new", pair, 0)),
        row("put a file of no number", ErrorCode.INVALID, putFile("new", pair + 2, 0)),
        row("put half a file", ErrorCode.INVALID, putFile("new", pair + 1, 10, piece(0, 9, 9))),
        row("put a file again", ErrorCode.INVALID, putFile("new", pair + 1, 5, piece(0, 5, 1))),
        row("a pair that is none", ErrorCode.NOT_FOUND, new Names.GetPair("x", 1)),
        row("delete a pair that is none", ErrorCode.NOT_FOUND, new Names.DeletePair("x")),
        row("no room", ErrorCode.INVALID, new Names.TakeRoom(0)),
        row("an attribute without a name", ErrorCode.INVALID, extra("", 1, false, false)),
        row("an attribute of a long name", ErrorCode.NAME_TOO_LONG, extra(LONG_NAME, 1)),
        row("a large attribute", ErrorCode.TOO_LARGE, extra("user.a", 64 * 1024 + 1)),
        row("replace no attribute", ErrorCode.NO_ATTRIBUTE, extra("user.a", 1, false, true)),
        row("an attribute that is none", ErrorCode.NO_ATTRIBUTE, getExtra("user.a")),
        row(
            "remove no attribute",
            ErrorCode.NO_ATTRIBUTE,
            new Names.RemoveExtra(ROOT, "f", true, "user.a")),
        row("keep alive", ErrorCode.NONE, new Names.KeepAlive()));
  }

  @Test
  void strangersDoNotUsePairsUntilTheOwnerAllowsIt() {
    group.who = STRANGER;
    assertThat(group.tryAsk(new Names.GetPair("key", 1))).isEqualTo(ErrorCode.ACCESS_DENIED);
    assertThat(group.tryAsk(new Names.ListPairs("", "", 9))).isEqualTo(ErrorCode.ACCESS_DENIED);
    assertThat(group.tryChange(put("k", pair + 1, 0))).isEqualTo(ErrorCode.ACCESS_DENIED);
    assertThat(group.tryChange(new Names.DeletePair("key"))).isEqualTo(ErrorCode.ACCESS_DENIED);
    group.who = Identity.root();
    group.change(new Names.SetAttributes(Names.PAIRS, "", true, 0777, -1, -1, -1, -1, -1));
    group.who = STRANGER;
    assertThat(group.tryAsk(new Names.GetPair("key", 1))).isEqualTo(ErrorCode.NONE);
    assertThat(group.tryChange(put("k", pair + 1, 0))).isEqualTo(ErrorCode.NONE);
  }

  @Test
  void aForgottenFileIsStaleEverywhere() {
    group.change(new Names.Unlink(ROOT, "f"));
    assertThat(group.tryChange(link(file, "", "x"))).isEqualTo(ErrorCode.NOT_FOUND);
    group.apply(new GroupCommand.Forget(TestGroup.BUFFER, TestGroup.TREE, List.of(file, ROOT)));
    assertThat(outcome(lookup(file, ""))).isEqualTo(ErrorCode.STALE_HANDLE);
    assertThat(outcome(publish(file, piece(0, 1, 9)))).isEqualTo(ErrorCode.STALE_HANDLE);
    assertThat(outcome(resize(file, "", 5))).isEqualTo(ErrorCode.STALE_HANDLE);
    assertThat(outcome(runs(file, 0, 1, 1))).isEqualTo(ErrorCode.STALE_HANDLE);
    assertThat(outcome(lookup(ROOT, "d"))).isEqualTo(ErrorCode.NONE);
  }

  @Test
  void inADirectoryThatIsGoneNothingIsFoundOrMade() {
    long gone = group.mkdir("gone").number();
    group.change(new Names.RemoveDirectory(ROOT, "gone"));
    assertThat(outcome(lookup(gone, "x"))).isEqualTo(ErrorCode.NOT_FOUND);
    assertThat(outcome(lookup(gone, ".."))).isEqualTo(ErrorCode.NOT_FOUND);
    assertThat(outcome(mkdir(gone, "x"))).isEqualTo(ErrorCode.NOT_FOUND);
    assertThat(outcome(new Names.Open(gone, "x", true, true, true, false, false, 0644)))
        .isEqualTo(ErrorCode.NOT_FOUND);
    assertThat(outcome(new Names.Rename(ROOT, "f", gone, "x", false, false)))
        .isEqualTo(ErrorCode.NOT_FOUND);
    assertThat(outcome(new Names.MakeLink(file, "", gone, "x"))).isEqualTo(ErrorCode.NOT_FOUND);
    assertThat(outcome(lookup(gone, ""))).isEqualTo(ErrorCode.STALE_HANDLE);
  }

  private static Row row(String what, ErrorCode code, Names.Op op) {
    return new Row(what, code, op);
  }

  private static Names.Lookup lookup(long directory, String path) {
    return new Names.Lookup(directory, path, true);
  }

  private static Names.ListDirectory list(String path, int max) {
    return new Names.ListDirectory(ROOT, path, "", max);
  }

  private static Names.Open open(long number, boolean write) {
    return new Names.Open(number, "", true, write, false, false, false, 0);
  }

  private static Names.MakeDirectory mkdir(long directory, String path) {
    return new Names.MakeDirectory(directory, path, 0755);
  }

  private static Names.Allocate allocate(long file, long bytes) {
    return new Names.Allocate(file, 0, bytes, false);
  }

  private static Names.MakeSymlink symlink(String target) {
    return new Names.MakeSymlink(ROOT, "x", target);
  }

  private static Names.MakeLink link(long directory, String path, String newPath) {
    return new Names.MakeLink(directory, path, ROOT, newPath);
  }

  private static Names.Rename rename(String path, String newPath) {
    return new Names.Rename(ROOT, path, ROOT, newPath, false, false);
  }

  private static Names.Publish publish(long file, Names.Piece... pieces) {
    return new Names.Publish(file, false, false, List.of(pieces));
  }

  private static Names.SetAttributes resize(long directory, String path, long sizeBytes) {
    return new Names.SetAttributes(directory, path, true, -1, -1, -1, sizeBytes, -1, -1);
  }

  private static Names.FindRuns runs(long file, long offset, long lengthBytes, int max) {
    return new Names.FindRuns(file, offset, lengthBytes, max);
  }

  private static Names.PutPair put(String key, long file, long sizeBytes, Names.Piece... pieces) {
    return new Names.PutPair(key, file, sizeBytes, List.of(pieces));
  }

  private static Names.PutFile putFile(
      String path, long file, long sizeBytes, Names.Piece... pieces) {
    return new Names.PutFile(ROOT, path, 0644, Names.NOW, file, sizeBytes, List.of(pieces));
  }

  private static Names.SetExtra extra(String name, int bytes) {
    return extra(name, bytes, false, false);
  }

  private static Names.SetExtra extra(String name, int bytes, boolean create, boolean replace) {
    Bytes value = Bytes.copyOf(new byte[bytes]);
    return new Names.SetExtra(ROOT, "f", true, name, value, create, replace);
  }

  private static Names.GetExtra getExtra(String name) {
    return new Names.GetExtra(ROOT, "f", true, name);
  }
}
