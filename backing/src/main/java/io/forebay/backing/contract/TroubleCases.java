// SPDX-License-Identifier: Apache-2.0

package io.forebay.backing.contract;

import static io.forebay.backing.contract.Scratch.requireEquals;
import static io.forebay.backing.contract.Scratch.requireFailure;

import io.forebay.backing.Attempt;
import io.forebay.backing.BackingException;
import io.forebay.backing.BackingFailure;
import io.forebay.backing.BackingPath;
import io.forebay.backing.BackingStore;
import io.forebay.backing.Leftover;
import io.forebay.backing.Sighting;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.SplittableRandom;

/** Cases of attempts that are abandoned, late, or unanswered (P22, P23). */
final class TroubleCases {
  /** The failures that a late writer may get. */
  private static final List<Class<? extends BackingFailure>> TOO_LATE =
      List.of(BackingFailure.Changed.class, BackingFailure.NotFound.class);

  private final BackingContract contract;
  private final BackingStore other;

  TroubleCases(BackingContract contract, BackingStore other) {
    this.contract = contract;
    this.other = other;
  }

  void add() {
    contract.add("an aborted attempt never appears, however late", this::lateWrite);
    contract.add("to abort again, or what never was, is no failure", this::abortAgain);
    contract.add("an attempt with an unanswered begin can be aborted", this::untold);
    contract.add("a late commit of an older attempt does nothing", this::secondAttempt);
    contract.add("an attempt that was replaced since is gone", this::replacedSince);
    contract.add("leftovers are found and removed", this::leftovers);
    if (!contract.store().capabilities().holes()) {
      contract.add("a file with a part missing is not committed", this::partMissing);
    }
  }

  private void lateWrite(Scratch scratch) throws BackingException {
    BackingPath path = scratch.path("file");
    byte[] content = scratch.severalParts();
    Attempt attempt = scratch.begin(path, content);
    scratch.store.write(attempt, 0, List.of(scratch.part(content, 0)));
    other.abort(attempt);
    other.abort(attempt);
    requireEquals(Sighting.GONE, other.look(attempt, path));
    try {
      scratch.writeAll(attempt, content);
    } catch (BackingException refused) {
      requireFailure(
          () -> {
            throw refused;
          },
          TOO_LATE);
    }
    requireFailure(() -> scratch.store.commit(attempt, path), TOO_LATE);
    scratch.requireAbsent(path);
    requireEquals(Sighting.GONE, scratch.store.look(attempt, path));
    requireEquals(List.of(), scratch.store.leftovers(scratch.directory));
  }

  private void abortAgain(Scratch scratch) throws BackingException {
    BackingPath path = scratch.path("file");
    scratch.store.abort(Attempt.untold(scratch.plan(scratch.path("no/such/file"), 5)));
    Attempt attempt = scratch.begin(path, new byte[5]);
    scratch.store.abort(attempt);
    scratch.store.abort(attempt);
    other.abort(attempt);
    requireEquals(Sighting.GONE, scratch.store.look(attempt, path));
  }

  private void untold(Scratch scratch) throws BackingException {
    BackingPath path = scratch.path("file");
    Attempt attempt = scratch.begin(path, new byte[5]);
    Attempt untold = Attempt.untold(attempt.plan());
    requireEquals(Sighting.PENDING, other.look(untold, path));
    other.abort(untold);
    requireEquals(Sighting.GONE, other.look(untold, path));
    requireFailure(() -> scratch.store.commit(attempt, path), TOO_LATE);
    scratch.requireAbsent(path);
  }

  private void secondAttempt(Scratch scratch) throws BackingException {
    BackingPath path = scratch.path("file");
    byte[] older = scratch.content(9_000);
    byte[] newer = scratch.content(8_000);
    Attempt first = scratch.begin(path, older);
    scratch.writeAll(first, older);
    other.abort(first);
    Attempt second = other.begin(scratch.plan(path, newer.length));
    new Scratch(other, scratch.directory, new SplittableRandom(1)).writeAll(second, newer);
    other.commit(second, path);
    requireFailure(() -> scratch.store.commit(first, path), TOO_LATE);
    scratch.requireContent(path, newer);
    requireEquals(Sighting.COMMITTED, scratch.store.look(second, path));
    requireEquals(Sighting.GONE, scratch.store.look(first, path));
  }

  private void replacedSince(Scratch scratch) throws BackingException {
    BackingPath path = scratch.path("file");
    byte[] content = scratch.content(9_000);
    Attempt first = scratch.begin(path, content);
    scratch.writeAll(first, content);
    scratch.store.commit(first, path);
    Attempt second = scratch.begin(path, content);
    scratch.writeAll(second, content);
    scratch.store.commit(second, path);
    requireEquals(Sighting.GONE, scratch.store.look(first, path));
    requireEquals(Sighting.COMMITTED, scratch.store.look(second, path));
    scratch.store.delete(path, BackingStore.ANY_VERSION);
    requireEquals(Sighting.GONE, scratch.store.look(second, path));
  }

  private void leftovers(Scratch scratch) throws BackingException {
    BackingPath path = scratch.path("file");
    requireEquals(Sighting.GONE, scratch.store.look(Attempt.untold(scratch.plan(path, 5)), path));
    Attempt one = scratch.begin(path, new byte[5]);
    Attempt two = scratch.begin(scratch.path("another"), new byte[5]);
    List<Leftover> found = other.leftovers(scratch.directory);
    requireEquals(2, found.size());
    for (Leftover leftover : found) {
      other.remove(leftover);
      other.remove(leftover);
    }
    requireEquals(List.of(), other.leftovers(scratch.directory));
    requireEquals(Sighting.GONE, scratch.store.look(one, path));
    requireEquals(Sighting.GONE, scratch.store.look(two, scratch.path("another")));
    scratch.store.abort(one);
    scratch.store.abort(two);
  }

  private void partMissing(Scratch scratch) throws BackingException {
    BackingPath path = scratch.path("file");
    byte[] content = scratch.severalParts();
    Attempt attempt = scratch.begin(path, content);
    ByteBuffer first = scratch.part(content, 0);
    if (first.remaining() == content.length) first.limit(content.length / 2);
    scratch.store.write(attempt, 0, List.of(first));
    scratch.store.force(attempt);
    requireFailure(BackingFailure.Changed.class, () -> scratch.store.commit(attempt, path));
    scratch.requireAbsent(path);
    scratch.store.abort(attempt);
  }
}
