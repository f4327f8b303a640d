package io.forebay.ring;

/**
 * Where an instance's files are drained to, and when.
 *
 * @param backing the backing store as a URI; empty for none
 * @param policy when files are drained, in words; empty for only when someone asks
 */
public record DrainSpec(String backing, String policy) {
  /** For an instance whose files stay in the buffer. */
  public static final DrainSpec NONE = new DrainSpec("", "");

  public boolean isNone() {
    return backing.isEmpty();
  }
}
