// SPDX-License-Identifier: Apache-2.0

package io.forebay.ring;

/**
 * Where an instance's files are drained to, and when, and what of them stays in the buffer.
 *
 * @param backing the backing store as a URI; empty for none
 * @param policy when files are drained, in words; empty where there is no backing store
 * @param keep what stays in the buffer longest once it is drained, in words; empty for whatever was
 *     drained last
 * @param over whether the instance lies over the store: what is there already is shown
 * @param ending whether the instance ends: nothing is written to it any more, and once everything
 *     is drained it is destroyed
 */
public record DrainSpec(String backing, String policy, String keep, boolean over, boolean ending) {
  /** For an instance whose files stay in the buffer. */
  public static final DrainSpec NONE = new DrainSpec("", "");

  /** For a store of which only what was drained is shown; nothing is preferred to stay. */
  public DrainSpec(String backing, String policy) {
    this(backing, policy, "", false, false);
  }

  /** The same with other words on what to keep. */
  public DrainSpec keeping(String words) {
    return new DrainSpec(backing, policy, words, over, ending);
  }

  /** The same store, with what it holds already. */
  public DrainSpec asOver() {
    return new DrainSpec(backing, policy, keep, true, ending);
  }

  /** The same of the instance when it ends. */
  public DrainSpec asEnding() {
    return new DrainSpec(backing, policy, keep, over, true);
  }

  public boolean isNone() {
    return backing.isEmpty();
  }
}
