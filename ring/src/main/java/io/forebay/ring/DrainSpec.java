// SPDX-License-Identifier: Apache-2.0

package io.forebay.ring;

/**
 * Where an instance's files are drained to, when, and what stays in the buffer.
 *
 * @param backing the backing store as a URI; empty for none
 * @param policy when files are drained, as policy text; empty without a backing store
 * @param keep what stays in the buffer longest after its drain, as policy text; empty for what was
 *     drained last
 * @param over whether the instance shows files that already exist in the store
 * @param ending whether the instance is ending: it takes no more writes, and is destroyed once its
 *     stages are done and, if the policy says so, everything is drained
 */
public record DrainSpec(String backing, String policy, String keep, boolean over, boolean ending) {
  /** For an instance whose files stay in the buffer. */
  public static final DrainSpec NONE = new DrainSpec("", "");

  /** For a store of which only drained files are shown, without a keep policy. */
  public DrainSpec(String backing, String policy) {
    this(backing, policy, "", false, false);
  }

  /** The same with other words on what to keep. */
  public DrainSpec keeping(String words) {
    return new DrainSpec(backing, policy, words, over, ending);
  }

  /** The same store, showing files that already exist. */
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
