package io.forebay.ring;

/**
 * Where an instance's files are drained to, and when.
 *
 * @param backing the backing store as a URI; empty for none
 * @param policy when files are drained, in words; empty where there is no backing store
 * @param ending whether the instance ends: nothing is written to it any more, and once everything
 *     is drained it is destroyed
 */
public record DrainSpec(String backing, String policy, boolean ending) {
  /** For an instance whose files stay in the buffer. */
  public static final DrainSpec NONE = new DrainSpec("", "");

  /** Of an instance that goes on. */
  public DrainSpec(String backing, String policy) {
    this(backing, policy, false);
  }

  public boolean isNone() {
    return backing.isEmpty();
  }

  /** The same of the instance when it ends. */
  public DrainSpec asEnding() {
    return new DrainSpec(backing, policy, true);
  }
}
