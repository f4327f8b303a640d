// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.audit;

import io.forebay.backing.AttemptId;
import io.forebay.backing.BackingPath;
import io.forebay.backing.pack.PackCatalogue;
import io.forebay.base.FileId;
import io.forebay.base.GroupId;
import io.forebay.base.PackPlace;
import io.forebay.base.RecordId;
import io.forebay.namespace.GroupState;
import io.forebay.namespace.tree.BackingView;
import io.forebay.namespace.tree.backed.BackingChange;
import io.forebay.namespace.tree.backed.DrainAttempt;
import io.forebay.namespace.tree.backed.OpenPack;
import io.forebay.ring.Group;
import io.forebay.ring.RingMap;
import io.forebay.simulation.backing.SimulatedBackingStore;
import io.forebay.simulation.backing.StoredContent;
import io.forebay.simulation.world.SeatNode;
import io.forebay.simulation.world.World;
import io.forebay.store.index.Extent;
import io.forebay.store.record.ReadResult;
import io.forebay.store.record.Slice;
import io.forebay.wire.message.Drains;
import io.forebay.wire.message.Identity;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Names;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Watches the backing store (I6): a named file is the complete published content, a file that the
 * ledger calls durable is there byte for byte, and in the end there is nothing else.
 */
public final class BackingAudit extends Audit implements SimulatedBackingStore.Watcher {
  /** A file as an attempt should store it; null until all of it could be read. */
  private static final class Expected {
    final byte[] bytes;
    int missing;
    boolean known = true;

    Expected(long bytes) {
      this.bytes = new byte[(int) bytes];
    }

    boolean isKnown() {
      return known && missing == 0;
    }
  }

  private static final int LEDGER_MAX = 1000;
  private static final int DURABLE_EVERY = 16;

  // Looked up only.
  private final Map<String, Expected> expected = new HashMap<>();
  private final Map<String, byte[]> contents = new HashMap<>();
  private int looks;
  private int compared;
  private int packed;
  private final PackAudit packs;

  public BackingAudit(World world) {
    super(world);
    this.packs = new PackAudit(world.store());
    world.store().watch(this);
  }

  /** How many files were compared with their expected content when they got their names. */
  public int compared() {
    return compared;
  }

  /** How many of them were stored together with others. */
  public int packed() {
    return packed;
  }

  @Override
  public void look() {
    boolean durable = ++looks % DURABLE_EVERY == 0;
    eachTree(
        (tree, view) -> {
          for (BackingView.UnderWay each : view.underWay()) expect(tree, view, each);
          for (OpenPack each : view.packs()) expect(tree, view, each);
          if (durable) {
            PackCatalogue catalogue = packs.catalogue();
            eachDurable(
                tree, view, (file, stored, shown) -> compareDurable(file, stored, catalogue));
          }
        });
  }

  private record Tree(long cluster, GroupState state, int instance, int tree) {}

  /** Shows the trees that are drained, each as its leased home has it. */
  private void eachTree(BiConsumer<Tree, BackingView> trees) {
    RingMap map = world().map();
    if (map == null) return;
    for (SeatNode node : world().seats()) {
      if (!node.isAlive()) continue;
      for (Group group : map.groups()) {
        GroupState state = node.seat().served(group.id());
        if (state == null) continue;
        for (int instance : state.instances()) {
          for (int tree : state.trees(instance)) {
            BackingView view = state.backing(instance, tree);
            if (view != null) trees.accept(new Tree(map.cluster(), state, instance, tree), view);
          }
        }
      }
    }
  }

  private static AttemptId idOf(Tree tree, long file, DrainAttempt attempt) {
    return AttemptId.of(
        tree.cluster, new FileId(tree.instance, file), attempt.version(), attempt.number());
  }

  /** The same for files that are stored together. */
  private void expect(Tree tree, BackingView view, OpenPack pack) {
    List<String> members = new ArrayList<>();
    for (long file : pack.files()) {
      DrainAttempt attempt = view.attempt(file);
      boolean member = attempt != null && attempt.pack() == pack.order();
      members.add(attempt == null || !member ? "" : idOf(tree, file, attempt).text());
      if (attempt != null && member) expect(tree, view, new BackingView.UnderWay(file, attempt));
    }
    packs.begun(PackAudit.idOf(tree.cluster, tree.instance, tree.tree, pack), members);
  }

  /** Notes what an attempt should store, from the directory and the records it names. */
  private void expect(Tree tree, BackingView view, BackingView.UnderWay under) {
    String id = idOf(tree, under.file(), under.attempt()).text();
    if (expected.containsKey(id)) return;
    Expected whole = new Expected(under.attempt().sizeBytes());
    expected.put(id, whole);
    Names.Attributes attributes = view.attributes(under.file());
    // It was published again at the same moment: the earlier content is unknown.
    whole.known = attributes != null && attributes.version() == under.attempt().version();
    if (!whole.known) return;
    BackingView.Stored stored = view.stored(under.file());
    if (stored != null && stored.backedBytes() > 0) {
      byte[] before = contents.get(PackAudit.key(stored.contentTag()));
      if (before == null) {
        whole.known = false;
        return;
      }
      int length =
          (int) Math.min(Math.min(stored.backedBytes(), before.length), whole.bytes.length);
      System.arraycopy(before, 0, whole.bytes, 0, length);
    }
    List<Extent> extents = new ArrayList<>();
    view.extents(under.file(), extents::add);
    for (Extent extent : extents) read(whole, extent);
  }

  private void read(Expected whole, Extent extent) {
    SeatNode holder = holder(new GroupId(extent.group()), extent.record());
    if (holder == null) {
      whole.known = false;
      return;
    }
    whole.missing++;
    holder
        .store()
        .read(
            extent.record(),
            extent.recordOffset(),
            extent.lengthBytes(),
            result -> {
              if (!(result instanceof ReadResult.Bytes bytes)) {
                whole.known = false;
                return;
              }
              try (Slice slice = bytes.slice()) {
                slice
                    .bytes()
                    .duplicate()
                    .get(whole.bytes, (int) extent.offset(), extent.lengthBytes());
              }
              whole.missing--;
            });
  }

  @Nullable SeatNode holder(GroupId group, RecordId record) {
    for (SeatNode node : world().seats()) {
      boolean has =
          node.isAlive()
              && node.store().present(record)
              && node.store().group(record) == group.number()
              && !node.flipped().contains(record);
      if (has) return node;
    }
    return null;
  }

  /** Gets the files that the store has. */
  interface DurableFile {
    void is(long file, BackingView.Stored stored, BackingView view);
  }

  /** Shows the files that the ledger calls durable and that have no pending change. */
  void eachDurable(DurableFile files) {
    eachTree((tree, view) -> eachDurable(tree, view, files));
  }

  private static void eachDurable(Tree tree, BackingView view, DurableFile files) {
    for (Names.LedgerEntry entry : ledger(tree)) {
      BackingView.Stored stored = view.stored(entry.file());
      boolean settled = entry.state() == Names.DrainState.DURABLE && !view.isChanging(entry.file());
      if (settled && stored != null) files.is(entry.file(), stored, view);
    }
  }

  /** The content with this tag, or null if its naming was not observed. */
  byte @Nullable [] content(String contentTag) {
    return contents.get(PackAudit.key(contentTag));
  }

  /** Every file that the ledger calls durable is in the store as it is here. */
  private void compareDurable(
      long file, BackingView.Stored stored, @Nullable PackCatalogue catalogue) {
    if (PackPlace.isOne(stored.contentTag())) {
      comparePacked(file, stored, catalogue);
      return;
    }
    StoredContent there = world().store().at(BackingPath.of(stored.name()));
    if (there == null || !there.identity.equals(stored.contentTag())) {
      String found = there == null ? "nothing" : there.id.text();
      broken("I6", "file %d is durable as '%s', where %s is".formatted(file, stored.name(), found));
      return;
    }
    byte[] should = contents.get(there.identity);
    if (should != null && there.mismatch(should) >= 0) {
      broken(
          "I6",
          "'%s' changed at byte %d after it got its name"
              .formatted(stored.name(), there.mismatch(should)));
    }
  }

  /** A file in a pack exists if its name leads to it; packs themselves do not change. */
  private void comparePacked(
      long file, BackingView.Stored stored, @Nullable PackCatalogue catalogue) {
    BackingPath path = BackingPath.of(stored.name());
    PackCatalogue.Named named = catalogue == null ? null : catalogue.names().get(path.text());
    String there = named == null ? "nothing" : named.place().toString();
    StoredContent plain = world().store().at(path);
    if (plain != null) there = plain.id.text();
    if (PackPlace.sameContent(there, stored.contentTag())) return;
    broken(
        "I6",
        "file %d is durable as '%s' in %s, where %s is"
            .formatted(file, stored.name(), stored.contentTag(), there));
  }

  private static List<Names.LedgerEntry> ledger(Tree tree) {
    Message answer =
        tree.state.answer(
            tree.instance, tree.tree, 0, Identity.root(), new Names.GetLedger(0, LEDGER_MAX));
    return answer instanceof Names.LedgerIs is ? is.entries() : List.of();
  }

  /** The first difference between the store and the trees, or null. */
  public @Nullable Problem unsettled() {
    TreeSet<String> names = new TreeSet<>();
    // Work in progress may only be slow.
    List<String> open = new ArrayList<>();
    List<FileId> kept = new ArrayList<>();
    eachTree(
        (tree, view) -> {
          view.dirty(file -> open.add("file " + file + " is not durable"));
          if (view.nextChange() != null) open.add("to be done: " + view.nextChange());
          for (BackingView.UnderWay each : view.underWay()) open.add("under way: " + each);
          for (OpenPack each : view.packs()) open.add("under way: " + each);
          kept.addAll(tree.state.orphans());
          for (Names.LedgerEntry entry : ledger(tree)) {
            BackingView.Stored stored = view.stored(entry.file());
            if (stored != null) names.add(BackingPath.of(stored.name()).text());
          }
        });
    for (AttemptId each : world().store().attempts()) open.add("an attempt is left: " + each);
    if (!open.isEmpty()) return new Problem("I5", "the backing store: " + open.getFirst());
    for (SeatNode node : world().seats()) {
      for (String each : node.isAlive() ? node.openAttempts() : Set.<String>of()) {
        return new Problem("P22", node.host() + " has " + each + " open, which is over");
      }
    }
    PackCatalogue catalogue = packs.catalogue();
    String dead = catalogue == null ? null : PackAudit.dead(catalogue);
    if (dead != null) return new Problem("I5", "nothing counts any more in " + dead);
    TreeSet<BackingPath> there = new TreeSet<>();
    for (BackingPath name : world().store().names()) if (!PackAudit.isOwn(name)) there.add(name);
    if (catalogue != null)
      catalogue.names().keySet().forEach(name -> there.add(BackingPath.of(name)));
    for (BackingPath name : there) {
      if (!names.remove(name.text())) {
        // It may belong to a file without a name that a client may still have open.
        String rule = kept.isEmpty() ? "I6" : "I5";
        return new Problem(rule, "'" + name + "' is left in the backing store; kept: " + kept);
      }
    }
    return names.isEmpty()
        ? null
        : new Problem("I6", "'" + names.first() + "' is not in the backing store");
  }

  @Override
  public void begun(AttemptId attempt) {
    String[] parts = attempt.text().split("\\.", -1);
    int number = Integer.parseInt(parts[parts.length - 1]);
    String file = parts[1] + "." + parts[2];
    for (Map.Entry<String, Integer> each : told.entrySet()) {
      boolean lower = each.getKey().contains("." + file + ".") && each.getValue() < number;
      boolean there = world().store().attempts().contains(new AttemptId(each.getKey()));
      if (lower && there) broken("P22", attempt + " begins while " + each.getKey() + " is there");
    }
  }

  /** Attempts with an answered begin, with their numbers. */
  private final Map<String, Integer> told = new TreeMap<>();

  @Override
  public void sent(String from, String to, long request, Message message) {
    if (!(message instanceof Drains.WriteChunk chunk)) return;
    String id = chunk.attempt().id();
    String[] parts = id.split("\\.", -1);
    told.put(id, Integer.parseInt(parts[parts.length - 1]));
    SeatNode home = nodeAt(from);
    GroupState state = home == null ? null : home.seat().served(chunk.treeGroup());
    if (state == null) return;
    if (!chunk.members().isEmpty()) {
      sentPack(chunk, state, Long.parseLong(parts[3]));
      return;
    }
    long file = Long.parseLong(parts[2]);
    for (int tree : state.trees(chunk.instance())) {
      BackingView view = state.backing(chunk.instance(), tree);
      DrainAttempt attempt = view == null ? null : view.attempt(file);
      if (attempt == null) continue;
      boolean noted =
          attempt.number() == told.get(id) && attempt.handle().equals(chunk.attempt().handle());
      if (!noted) broken("P21", id + " is written, and the journal knows " + attempt);
    }
  }

  private void sentPack(Drains.WriteChunk chunk, GroupState state, long order) {
    boolean noted = false;
    for (int tree : state.trees(chunk.instance())) {
      BackingView view = state.backing(chunk.instance(), tree);
      OpenPack pack = view == null ? null : view.pack(order);
      noted |= pack != null && pack.handle().equals(chunk.attempt().handle());
    }
    if (!noted) broken("P21", chunk.attempt().id() + " is written, and the journal has no handle");
  }

  @Override
  public void misused(String rule, String sentence) {
    broken(rule, sentence);
  }

  @Override
  public void named(BackingPath name, StoredContent content) {
    if (!content.isForced()) broken("P23", "'" + name + "' got its name before it was forced");
    eachTree((tree, view) -> requireJournalled(tree, view, name, content));
    if (PackAudit.isPack(name)) {
      namedPack(name, content);
    } else if (!PackAudit.isOwn(name)) {
      contents.put(content.identity, content.bytes());
      compare(name, content.id.text(), content.bytes());
    }
  }

  private void namedPack(BackingPath name, StoredContent content) {
    List<byte[]> files = PackAudit.unpack(content.bytes());
    List<String> members = packs.members(content.id);
    for (int i = 0; i < files.size(); i++) {
      contents.put(PackAudit.key(name.name(), i), files.get(i));
      if (i >= members.size()) continue;
      packed++;
      compare(name, members.get(i), files.get(i));
    }
  }

  private void compare(BackingPath name, String attempt, byte[] bytes) {
    Expected should = expected.get(attempt);
    if (should == null || !should.isKnown()) return;
    compared++;
    int at = Arrays.mismatch(bytes, should.bytes);
    if (at >= 0) {
      broken(
          "I6", "'%s' is wrong at byte %d of %d (%s)".formatted(name, at, bytes.length, attempt));
    }
  }

  /** The name is the one that the file had when its commit was journalled (P24). */
  private void requireJournalled(
      Tree tree, BackingView view, BackingPath name, StoredContent content) {
    if (!(view.nextChange() instanceof BackingChange.Commit commit)) return;
    DrainAttempt attempt = view.attempt(commit.file());
    boolean same = attempt != null && idOf(tree, commit.file(), attempt).equals(content.id);
    if (same && !BackingPath.of(commit.name()).equals(name)) {
      broken(
          "P24",
          "%s got the name '%s', and the journal calls it '%s'"
              .formatted(content.id, name, commit.name()));
    }
  }
}
