package io.forebay.ring;

/**
 * Where an instance's files are drained to, and when.
 *
 * @param backing the backing store as a URI; empty for none
 * @param policy when files are drained, in words; empty for only when someone asks
 * @param over whether the instance lies over the store: what is there already is shown
 */
public record DrainSpec(String backing, String policy, boolean over) {
  /** For an instance whose files stay in the buffer. */
  public static final DrainSpec NONE = new DrainSpec("", "");

  /** For a store of which only what was drained is shown. */
  public DrainSpec(String backing, String policy) {
    this(backing, policy, false);
  }

  /** The same store, with what it holds already. */
  public DrainSpec asOver() {
    return new DrainSpec(backing, policy, true);
  }

  public boolean isNone() {
    return backing.isEmpty();
  }
}
