package io.forebay.ring;

/**
 * Where an instance's files are drained to, and when.
 *
 * @param backing the backing store as a URI; empty for none
 * @param policy when files are drained, in words; empty where there is no backing store
 * @param over whether the instance lies over the store: what is there already is shown
 * @param ending whether the instance ends: nothing is written to it any more, and once everything
 *     is drained it is destroyed
 */
public record DrainSpec(String backing, String policy, boolean over, boolean ending) {
  /** For an instance whose files stay in the buffer. */
  public static final DrainSpec NONE = new DrainSpec("", "");

  /** For a store of which only what was drained is shown. */
  public DrainSpec(String backing, String policy) {
    this(backing, policy, false, false);
  }

  /** The same store, with what it holds already. */
  public DrainSpec asOver() {
    return new DrainSpec(backing, policy, true, ending);
  }

  /** The same of the instance when it ends. */
  public DrainSpec asEnding() {
    return new DrainSpec(backing, policy, over, true);
  }

  public boolean isNone() {
    return backing.isEmpty();
  }
}
