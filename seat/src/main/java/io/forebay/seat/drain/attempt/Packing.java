// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.drain.attempt;

import io.forebay.backing.Attempt;
import io.forebay.backing.AttemptId;
import io.forebay.backing.Backing;
import io.forebay.backing.BackingFailure;
import io.forebay.backing.BackingPath;
import io.forebay.backing.Capabilities;
import io.forebay.backing.FileAttributes;
import io.forebay.backing.pack.PackFolder;
import io.forebay.backing.pack.PackLayout;
import io.forebay.backing.pack.PackMember;
import io.forebay.base.FileId;
import io.forebay.base.PackPlace;
import io.forebay.base.Timers;
import io.forebay.drain.plan.WriteRules;
import io.forebay.drain.policy.Cause;
import io.forebay.drain.policy.DrainPolicy;
import io.forebay.drain.policy.DrainQueue;
import io.forebay.namespace.GroupCommand;
import io.forebay.namespace.tree.BackingView;
import io.forebay.namespace.tree.backed.OpenPack;
import io.forebay.ring.RingMap;
import io.forebay.seat.drain.naming.PackNaming;
import io.forebay.seat.drain.naming.Packs;
import io.forebay.seat.part.Basics;
import io.forebay.seat.part.MapView;
import io.forebay.seat.part.TreeContext;
import io.forebay.seat.peer.Questions;
import io.forebay.wire.message.Drains;
import io.forebay.wire.message.Names;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Decides which small files of a tree are stored together: due files wait here for each other for a
 * moment, and become one {@link PackJob}. A file without company is stored on its own.
 */
public final class Packing implements Packs {
  /** The journal's numbers for packs and for notes, where files have theirs. */
  private static final long PACKS = 0;

  private static final long NOTES = Names.PAIRS;

  /** The only attempt at a pack. */
  private static final int ATTEMPT = 1;

  private static final int JOBS_MAX = 2;
  private static final int WAITING_MAX = 4 * Drains.MEMBERS_MAX;

  /** How long a file waits for others, unless a client waits for it. */
  private static final long LINGER_NANOS = 1_500_000_000L;

  /** A file in more pieces is stored on its own. */
  private static final int EXTENTS_MAX = 64;

  private final Basics basics;
  private final Questions questions;
  private final DrainedTree tree;
  private final MapView maps;
  private final Timers timers;
  private final RandomGenerator random;
  private final long limitBytes;
  private final PackSweep sweep;
  private final Map<Long, DrainQueue.Item> waiting = new LinkedHashMap<>();
  private final Map<Long, DrainQueue.Item> alone = new LinkedHashMap<>();
  private final List<PackJob> jobs = new ArrayList<>();

  /** Files of which the last pack failed, and that are stored by themselves. */
  private final Set<Long> loners = new TreeSet<>();

  /** Stored files whose pack is mostly dead. */
  private final Set<Long> rewritten = new TreeSet<>();

  /** Packs of a home before this one that are being taken back. */
  private final Set<Long> aborting = new TreeSet<>();

  private long waitingSinceNanos;

  public Packing(Basics basics, Questions questions, DrainedTree tree, DrainPolicy policy) {
    this.basics = basics;
    this.maps = basics.maps();
    this.timers = basics.timers();
    this.random = basics.random();
    this.questions = questions;
    this.tree = tree;
    this.limitBytes = policy.packBytes();
    this.sweep = new PackSweep(timers, tree, this);
    this.waitingSinceNanos = timers.nanos();
  }

  public boolean isOn() {
    return limitBytes > 0;
  }

  @Override
  public void sweepSoon() {
    sweep.soon();
  }

  // Which file goes where.

  /** Takes a file that is due if it is to be stored together with others. */
  public boolean takes(DrainQueue.Item item) {
    BackingView view = tree.view();
    long file = item.file().number();
    if (!isOn() || view == null || loners.contains(file) || !isSmall(view, file)) return false;
    if (waiting.isEmpty()) waitingSinceNanos = timers.nanos();
    waiting.put(file, item);
    return true;
  }

  private boolean isSmall(BackingView view, long file) {
    Backing backing = tree.backing();
    Names.Attributes known = view.attributes(file);
    if (known == null || known.sizeBytes() >= limitBytes || backing == null) return false;
    Capabilities can = backing.capabilities();
    String path = view.entry(file).path();
    boolean fits =
        PackLayout.overheadBytes(path) + known.sizeBytes() + PackLayout.overheadBytes("")
            <= packBytesMax(can) / 2;
    boolean keeps = can.verification() != Capabilities.Verification.NONE;
    boolean storable =
        BackingPath.problemWith(path.substring(1)) == null && problemWith(path) == null;
    int[] extents = {0};
    view.extents(file, extent -> ++extents[0] <= EXTENTS_MAX);
    return fits && keeps && storable && !view.isLost(file) && extents[0] <= EXTENTS_MAX;
  }

  private static long packBytesMax(Capabilities can) {
    return Math.min(WriteRules.WRITE_BYTES_DEFAULT, can.partBytesMax());
  }

  public boolean isFull() {
    return waiting.size() >= WAITING_MAX;
  }

  public boolean contains(long file) {
    return waiting.containsKey(file)
        || alone.containsKey(file)
        || jobs.stream().anyMatch(job -> job.contains(file));
  }

  /** A file that found no company. */
  public DrainQueue.@Nullable Item nextAlone() {
    Iterator<DrainQueue.Item> each = alone.values().iterator();
    if (!each.hasNext()) return null;
    DrainQueue.Item next = each.next();
    each.remove();
    return next;
  }

  /** Stores the files of a mostly dead pack again. */
  void rewrite(List<Long> files) {
    BackingView view = tree.view();
    if (view == null || !isOn()) return;
    for (long file : files) {
      if (contains(file) || isFull() || view.attempt(file) != null || !isSmall(view, file))
        continue;
      rewritten.add(file);
      if (waiting.isEmpty()) waitingSinceNanos = timers.nanos();
      FileId id = new FileId(tree.instance(), file);
      waiting.put(file, new DrainQueue.Item(id, Cause.INTERVAL, DrainPolicy.PRIORITY_DEFAULT, 0));
    }
  }

  public void tick() {
    takeBackFormer();
    while (jobs.size() < JOBS_MAX && isReady()) {
      List<DrainQueue.Item> items = next();
      if (items.isEmpty()) return;
      boolean worth = items.size() > 1 || rewritten.contains(items.getFirst().file().number());
      if (!worth || dataBytes(items) == 0) {
        for (DrainQueue.Item item : items) alone.put(item.file().number(), item);
        continue;
      }
      PackJob job = new PackJob(basics, questions, tree, this, items);
      jobs.add(job);
      job.start();
    }
    sweep.tick();
  }

  private long dataBytes(List<DrainQueue.Item> items) {
    BackingView view = tree.view();
    long bytes = 0;
    for (DrainQueue.Item item : items) {
      Names.Attributes known = view == null ? null : view.attributes(item.file().number());
      if (known != null) bytes += known.sizeBytes();
    }
    return bytes;
  }

  private boolean isReady() {
    if (waiting.isEmpty()) return false;
    return waiting.size() >= Drains.MEMBERS_MAX
        || timers.nanos() - waitingSinceNanos >= LINGER_NANOS
        || waiting.values().stream().anyMatch(item -> item.cause().isUrgent());
  }

  /** As many waiting files as fit into one pack; files that are not small go their own way. */
  private List<DrainQueue.Item> next() {
    BackingView view = tree.view();
    Backing backing = tree.backing();
    List<DrainQueue.Item> items = new ArrayList<>();
    if (view == null || backing == null) return items;
    long bytesMax = packBytesMax(backing.capabilities());
    long bytes = PackLayout.overheadBytes("");
    int nameBytes = 0;
    Iterator<DrainQueue.Item> each = waiting.values().iterator();
    while (each.hasNext() && items.size() < Drains.MEMBERS_MAX) {
      DrainQueue.Item item = each.next();
      long file = item.file().number();
      boolean durable = view.isDurable(file) && !rewritten.contains(file);
      if (view.attributes(file) == null || durable || view.attempt(file) != null) {
        each.remove();
        rewritten.remove(file);
        continue;
      }
      if (!isSmall(view, file)) {
        each.remove();
        rewritten.remove(file);
        alone.put(file, item);
        continue;
      }
      String path = view.entry(file).path();
      long needed = PackLayout.overheadBytes(path) + view.entry(file).sizeBytes();
      nameBytes += path.getBytes(StandardCharsets.UTF_8).length;
      if (bytes + needed > bytesMax || nameBytes > Drains.MEMBER_NAME_BYTES_MAX) break;
      bytes += needed;
      items.add(item);
      each.remove();
    }
    return items;
  }

  /** A job is over: the pack is about to get its name, or has to be made again. */
  void ended(PackJob job, @Nullable BackingFailure failure, String why) {
    jobs.remove(job);
    for (DrainQueue.Item item : job.items()) {
      long file = item.file().number();
      boolean rewrite = rewritten.remove(file);
      loners.remove(file);
      if (!why.isEmpty() && job.loners().contains(file) && loners.size() < WAITING_MAX) {
        loners.add(file);
      }
      // The store keeps its existing copy.
      if (!rewrite || why.isEmpty()) tree.ended(item, failure, why);
    }
  }

  public void isStored(long file) {
    loners.remove(file);
  }

  @Override
  public void isTaken(long file) {
    if (loners.size() < WAITING_MAX) loners.add(file);
  }

  public void abandon(Backing used) {
    for (PackJob job : jobs) {
      Attempt begun = job.abandon();
      if (begun != null && used.room() > 0) used.abort(begun, answer -> {});
    }
    jobs.clear();
  }

  /** The written bytes of a file, if it is in a pack that is being written. */
  public long doneBytes(Names.LedgerEntry entry) {
    for (PackJob job : jobs) {
      if (job.contains(entry.file())) return job.isWritten() ? entry.sizeBytes() : 0;
    }
    return 0;
  }

  // Names of packs.

  /** The attempt at a pack, as the journal knows it. */
  @Override
  public Attempt attempt(OpenPack pack) {
    return new Attempt(
        PackFolder.packPlan(pack.order(), id(pack.order()), layout(pack).sizeBytes()),
        pack.handle());
  }

  private AttemptId id(long order) {
    return AttemptId.of(cluster(), fileId(PACKS), order, ATTEMPT);
  }

  /** A new id for each try, since a home does not continue notes that another one began. */
  @Override
  public AttemptId noteId(long change) {
    return AttemptId.of(cluster(), fileId(NOTES), change, random.nextInt(1, Integer.MAX_VALUE));
  }

  private FileId fileId(long number) {
    return new FileId(tree.instance(), Names.inTree(tree.tree(), number));
  }

  private long cluster() {
    RingMap map = maps.map();
    return map == null ? 0 : map.cluster();
  }

  /** Whether an attempt is one at a pack or at notes; those at files have other numbers. */
  public static boolean isPack(AttemptId.Origin origin) {
    long number = origin.file().number();
    int tree = Names.treeOf(number);
    return number == Names.inTree(tree, PACKS) || number == Names.inTree(tree, NOTES);
  }

  /** Whether such an attempt is over. */
  public boolean isDead(AttemptId.Origin origin, BackingView view, @Nullable AttemptId noting) {
    boolean open = view.pack(origin.version()) != null && origin.attempt() == ATTEMPT;
    return !open && !isOf(noting, origin) && !isOf(sweep.noting(), origin);
  }

  private static boolean isOf(@Nullable AttemptId id, AttemptId.Origin origin) {
    return id != null && origin.equals(id.origin());
  }

  /** Why a path cannot be stored, since Forebay has its own files there; null if it can. */
  static @Nullable String problemWith(String path) {
    return PackFolder.isReserved(path)
        ? "'%s' cannot be stored: what is in /%s is Forebay's own in a backing store; rename it"
            .formatted(path, PackFolder.ROOT_NAME)
        : null;
  }

  private static PackLayout layout(OpenPack pack) {
    List<PackMember> members = new ArrayList<>();
    for (int i = 0; i < pack.files().size(); i++) {
      members.add(
          new PackMember(
              BackingPath.of(pack.targets().get(i)).text(),
              pack.sizes().get(i),
              FileAttributes.NONE));
    }
    return new PackLayout(members);
  }

  /** The store's tags of a pack's files. */
  @Override
  public List<String> contentTags(OpenPack pack) {
    PackLayout layout = layout(pack);
    String name = PackFolder.packName(pack.order(), id(pack.order()));
    List<String> tags = new ArrayList<>();
    for (int i = 0; i < pack.files().size(); i++) {
      long size = pack.sizes().get(i);
      tags.add(new PackPlace(name, i, layout.offset(i), size, pack.order()).toString());
    }
    return tags;
  }

  /** What the names of a pack's files may replace, for the files that are to get them. */
  @Override
  public Map<BackingPath, PackNaming.MayReplace> expected(OpenPack pack, BackingView view) {
    Map<BackingPath, PackNaming.MayReplace> expected = new TreeMap<>();
    for (int i = 0; i < pack.files().size(); i++) {
      long file = pack.files().get(i);
      String target = pack.targets().get(i);
      if (!view.isIn(file, pack.order())) continue;
      expected.put(BackingPath.of(target), PackNaming.MayReplace.of(view.expected(file, target)));
    }
    return expected;
  }

  /** Aborts what a previous home had begun (P22). */
  private void takeBackFormer() {
    BackingView view = tree.view();
    Backing backing = tree.backing();
    if (view == null || backing == null) return;
    for (OpenPack pack : view.packs()) {
      long order = pack.order();
      boolean known =
          pack.naming()
              || aborting.contains(order)
              || jobs.stream().anyMatch(job -> job.order() == order || job.order() == 0);
      if (known) continue;
      if (backing.room() == 0) return;
      aborting.add(order);
      tree.leftovers().suspect(PackFolder.PATH);
      Attempt former = attempt(pack);
      backing.abort(
          former,
          answer -> {
            if (answer instanceof Backing.Answer.Failed<Backing.Nothing> failed) {
              tree.troubled(failed.failure());
              timers.after(TreeContext.RETRY_NANOS_MIN, () -> aborting.remove(order));
            } else {
              BackingAttempts.tellAllOver(maps, questions, former);
              tree.propose(
                  new GroupCommand.EndPack(tree.instance(), tree.tree(), order),
                  applied -> aborting.remove(order));
            }
          });
    }
  }
}
