// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.bundle.flow;

import io.forebay.base.MonotonicClock;
import io.forebay.netcdf.bundle.definition.Bundle;
import io.forebay.netcdf.bundle.file.BundleDraft;
import io.forebay.netcdf.bundle.file.BundleFile;
import io.forebay.netcdf.bundle.file.BundleFiles;
import io.forebay.netcdf.bundle.file.StoreUse;
import io.forebay.parallel.Operation;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The files of a rank's group in one step:
 *
 * <ol>
 *   <li>The root creates them under temporary names, while the shuffle goes on.
 *   <li>It tells the other aggregators where the variables begin.
 *   <li>They open the files.
 *   <li>When all is written, every aggregator closes its handles.
 *   <li>The root renames the files, or removes them if anything failed.
 * </ol>
 *
 * A failure is kept and told at the end; until then a failed file takes all writes and drops them.
 */
public final class StepFiles implements Part {
  private enum State {
    /** Waits for the root's word (or has nothing to write). */
    WAITING,
    /** Creates or opens files. */
    OPENING,
    /** Takes writes. */
    OPEN
  }

  /** One bundle's file. */
  private record Named(Bundle bundle, BundleFiles files, String name) {}

  private static final long FINE = 1;

  private final Position position;
  private final MonotonicClock clock;
  private final Map<Integer, Named> named = new HashMap<>();
  private final Map<Integer, BundleFile> handles = new HashMap<>();
  private final Map<Integer, BundleDraft> drafts = new HashMap<>();
  private final boolean isRoot;
  private final boolean isAggregator;
  private final MemorySegment word;
  private final List<Operation> words = new ArrayList<>();
  private @Nullable Operation opening;
  private State state = State.WAITING;

  // Of tasks, one at a time, and of the rank's own thread when they are done.
  private long createNanos;
  private long writtenBytes;
  private long writeNanos;

  /** Of the rank's own thread, or of a task that this thread waits for. */
  private volatile @Nullable IOException failure;

  /** What is written: definitions, how files are made, and their final names; by bundle. */
  public record Wanted(List<Bundle> bundles, List<BundleFiles> files, List<String> names) {}

  StepFiles(Position position, Wanted wanted, MonotonicClock clock) {
    this.position = position;
    this.clock = clock;
    isAggregator = position.own().isAggregator(position.member());
    isRoot = position.member() == 0;
    long longs = 1;
    for (int bundle : position.own().group().bundles()) {
      Bundle definition = wanted.bundles.get(bundle);
      named.put(bundle, new Named(definition, wanted.files.get(bundle), wanted.names.get(bundle)));
      longs += definition.variables().size();
    }
    word = Arena.ofAuto().allocate(ValueLayout.JAVA_LONG, longs);
  }

  /** Begins: the root with the files, the others with the root's word. */
  void begin() {
    if (isRoot) {
      state = State.OPENING;
      opening = position.ranks().postTask(this::createAll);
    } else if (isAggregator) {
      words.add(position.ranks().postReceive(position.rankOf(0), Position.FILES_TAG, word));
    }
  }

  private void createAll() {
    int at = 1;
    for (int bundle : position.own().group().bundles()) {
      Named wanted = named(bundle);
      long start = clock.nanos();
      try {
        BundleDraft draft = wanted.files.create(wanted.bundle, wanted.name);
        createNanos = Math.max(createNanos, clock.nanos() - start);
        drafts.put(bundle, draft);
        handles.put(bundle, draft);
        for (long place : draft.places()) word.setAtIndex(ValueLayout.JAVA_LONG, at++, place);
      } catch (IOException | RuntimeException e) {
        fail(wanted, e);
        return;
      }
    }
    word.setAtIndex(ValueLayout.JAVA_LONG, 0, FINE);
  }

  private void openAll() {
    // The root tells its failure itself.
    if (word.getAtIndex(ValueLayout.JAVA_LONG, 0) != FINE) return;
    int at = 1;
    for (int bundle : position.own().group().bundles()) {
      Named wanted = named(bundle);
      long[] places = new long[wanted.bundle.variables().size()];
      for (int i = 0; i < places.length; i++) {
        places[i] = word.getAtIndex(ValueLayout.JAVA_LONG, at++);
      }
      try {
        handles.put(bundle, wanted.files.open(wanted.bundle, wanted.name, places));
      } catch (IOException | RuntimeException e) {
        fail(wanted, e);
        return;
      }
    }
  }

  private Named named(int bundle) {
    Named wanted = named.get(bundle);
    if (wanted == null) throw new IllegalStateException("bundle " + bundle + " of another group");
    return wanted;
  }

  private void fail(Named wanted, Exception e) {
    String reason = e.getMessage() == null ? e.toString() : e.getMessage();
    if (failure == null) {
      failure =
          new IOException(
              "bundle '%s', file '%s': %s".formatted(wanted.bundle.name(), wanted.name, reason), e);
    }
  }

  @Override
  public boolean advance() {
    boolean any = words.removeIf(Operation::isDone);
    if (state == State.WAITING && isAggregator && words.isEmpty()) {
      state = State.OPENING;
      opening = position.ranks().postTask(this::openAll);
      any = true;
    }
    if (state == State.OPENING && opening != null && opening.isDone()) {
      opening = null;
      state = State.OPEN;
      if (isRoot) tellOthers();
      any = true;
    }
    return any;
  }

  private void tellOthers() {
    for (int member : position.own().aggregators()) {
      if (member == 0) continue;
      words.add(position.ranks().postSend(position.rankOf(member), Position.FILES_TAG, word));
    }
  }

  /** Whether writes are taken. */
  boolean areOpen() {
    return state == State.OPEN;
  }

  /** Writes; called by one task at a time. */
  void write(int bundle, int variable, long element, MemorySegment bytes) {
    if (failure != null) return;
    BundleFile file = handles.get(bundle);
    // The root could not create it.
    if (file == null) return;
    long start = clock.nanos();
    try {
      file.write(variable, element, bytes);
      writtenBytes += bytes.byteSize();
      writeNanos += clock.nanos() - start;
    } catch (IOException | RuntimeException e) {
      fail(named(bundle), e);
    }
  }

  /** Closes this rank's handles when nothing is written any more. */
  void close() {
    if (handles.isEmpty()) return;
    position.ranks().await(position.ranks().postTask(this::closeAll));
  }

  private void closeAll() {
    long start = clock.nanos();
    handles.forEach(
        (bundle, file) -> {
          try {
            file.close();
          } catch (IOException | RuntimeException e) {
            fail(named(bundle), e);
          }
        });
    writeNanos += clock.nanos() - start;
  }

  /** Gives the files their final names, by the root. */
  public void commit() {
    drafts.forEach(
        (bundle, draft) -> {
          try {
            draft.commit();
          } catch (IOException | RuntimeException e) {
            fail(named(bundle), e);
          }
        });
  }

  /** Removes the files, by the root. */
  public void discard() {
    drafts.forEach(
        (bundle, draft) -> {
          try {
            draft.discard();
          } catch (IOException | RuntimeException e) {
            fail(named(bundle), e);
          }
        });
  }

  /** Removes what there is of the files after another rank has ended in the middle of the step. */
  public void abandon() {
    closeAll();
    discard();
  }

  /** What this rank did to the store, once its handles are closed. */
  public StoreUse storeUse() {
    return StoreUse.of(createNanos, writtenBytes, writeNanos);
  }

  /** What failed first on this rank; null if nothing did. */
  public @Nullable IOException failure() {
    return failure;
  }

  @Override
  public boolean isDone() {
    return words.isEmpty() && opening == null && (state == State.OPEN || !isAggregator);
  }

  @Override
  public void pending(List<Operation> operations) {
    operations.addAll(words);
    if (opening != null) operations.add(opening);
  }
}
