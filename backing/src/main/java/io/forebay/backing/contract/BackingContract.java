// SPDX-License-Identifier: Apache-2.0

package io.forebay.backing.contract;

import io.forebay.backing.BackingException;
import io.forebay.backing.BackingPath;
import io.forebay.backing.BackingStore;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * The cases. Each works in a directory of its own below the given one and removes it on success.
 * One thread.
 */
public final class BackingContract {
  /** One promise; it throws {@link BrokenPromise} if the store does not keep it. */
  public record Case(String name, Check check) {}

  /** Runs a case. */
  public interface Check {
    void run() throws BackingException;
  }

  /** A case before it has a place. */
  interface Body {
    void run(Scratch scratch) throws BackingException;
  }

  private final BackingStore store;
  private final BackingPath directory;
  private final RandomGenerator random;
  private final List<Case> cases = new ArrayList<>();

  /**
   * Gathers the cases that apply to a store.
   *
   * @param other the same store, opened a second time, like another process
   * @param directory a directory for the cases alone
   */
  public BackingContract(
      BackingStore store, BackingStore other, BackingPath directory, RandomGenerator random) {
    this.store = store;
    this.directory = directory;
    this.random = random;
    new AttemptCases(this, other).add();
    new TroubleCases(this, other).add();
    new NameCases(this).add();
  }

  public List<Case> cases() {
    return List.copyOf(cases);
  }

  /** Adds a case. */
  void add(String name, Body body) {
    BackingPath place = directory.resolve("case-" + cases.size());
    cases.add(
        new Case(
            name,
            () -> {
              Scratch scratch = new Scratch(store, place, random);
              body.run(scratch);
              scratch.clear();
            }));
  }

  BackingStore store() {
    return store;
  }
}
