// SPDX-License-Identifier: Apache-2.0

package io.forebay.namespace.tree.drain;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.namespace.GroupCommand;
import io.forebay.namespace.TestGroup;
import io.forebay.namespace.tree.BackingView;
import io.forebay.namespace.tree.backed.BackingChange;
import io.forebay.namespace.tree.backed.DrainAttempt;
import io.forebay.wire.message.Names;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A tree and its backing store, which is a map from names to what was stored. */
public abstract class DrainedGroup {
  public static final int TREE = TestGroup.TREE;
  public static final int BUFFER = TestGroup.BUFFER;

  public final TestGroup group;
  public final Map<String, String> stored = new TreeMap<>();
  public final List<String> removedDirectories = new ArrayList<>();
  public long pieces;

  protected DrainedGroup() {
    this(TestGroup.begun());
  }

  protected DrainedGroup(TestGroup group) {
    this.group = group;
  }

  public BackingView view() {
    BackingView view = group.state.backing(BUFFER, TREE);
    assertThat(view).isNotNull();
    return view;
  }

  public long write(String path) {
    long file = group.create(path).number();
    group.publish(file, TestGroup.piece(0, 100, ++pieces));
    return file;
  }

  public int begin(long file) {
    group.apply(
        new GroupCommand.BeginDrain(BUFFER, TREE, file, group.stat(file).version(), group.now()));
    DrainAttempt attempt = view().attempt(file);
    assertThat(attempt).isNotNull();
    group.apply(new GroupCommand.NoteHandle(BUFFER, TREE, file, attempt.number(), "h"));
    return attempt.number();
  }

  public void commit(long file, int attempt) {
    group.apply(new GroupCommand.CommitDrain(BUFFER, TREE, file, attempt));
  }

  public static String content(long file, long version) {
    return file + " of version " + version;
  }

  /** Does the next change of the store and says so. */
  public boolean change() {
    return change(false);
  }

  /** The same; a file may not get its name, such as where that is fixed when it begins. */
  public boolean change(boolean commitFails) {
    BackingChange change = view().nextChange();
    if (change == null) return false;
    boolean done = true;
    String tag = "";
    switch (change) {
      case BackingChange.Commit c when commitFails -> done = false;
      case BackingChange.Commit c -> {
        DrainAttempt attempt = view().attempt(c.file());
        assertThat(attempt).isNotNull();
        assertExpected(c.file(), c.name());
        tag = content(c.file(), attempt.version());
        stored.put(c.name(), tag);
      }
      case BackingChange.Rename c -> {
        BackingView.Stored known = view().stored(c.file());
        if (known != null) {
          String content = stored.remove(known.name());
          assertThat(content).isEqualTo(known.contentTag());
          assertExpected(c.file(), c.name());
          stored.put(c.name(), content);
        }
      }
      case BackingChange.Delete c -> {
        BackingView.Stored known = view().stored(c.file());
        if (known != null) {
          assertThat(stored.remove(known.name())).isEqualTo(known.contentTag());
        }
      }
      case BackingChange.DeleteName c -> stored.remove(c.name());
      case BackingChange.RemoveDirectory c -> removedDirectories.add(c.name());
      case BackingChange.CommitPack c -> throw new IllegalStateException("nothing is packed here");
      case BackingChange.Forget c -> throw new IllegalStateException("nothing is packed here");
    }
    group.apply(
        new GroupCommand.BackingChanged(BUFFER, TREE, change.number(), done, tag, group.now()));
    return true;
  }

  /** What is about to be replaced is what is known to be there: nobody else has put it there. */
  public void assertExpected(long file, String name) {
    String there = stored.get(name);
    BackingView.Expected expected = view().expected(file, name);
    if (there != null) assertThat(expected).isEqualTo(new BackingView.Expected(there));
  }

  public void changeAll() {
    while (change()) {}
  }

  public void drain(long file) {
    commit(file, begin(file));
    changeAll();
  }

  public Names.LedgerEntry entry(long file) {
    return view().entry(file);
  }

  public long backedBytes(long file) {
    return group
        .must(Names.RunsAre.class, group.ask(new Names.FindRuns(file, 0, 1000, 10)))
        .backedBytes();
  }

  public void setSize(long file, long bytes) {
    group.change(new Names.SetAttributes(file, "", true, -1, -1, -1, bytes, -1, -1));
  }

  public void rename(String one, String other, boolean exchange) {
    group.change(new Names.Rename(TestGroup.ROOT, one, TestGroup.ROOT, other, false, exchange));
  }

  public List<Long> dirty() {
    List<Long> dirty = new ArrayList<>();
    view().dirty(dirty::add);
    return dirty.stream().distinct().toList();
  }
}
