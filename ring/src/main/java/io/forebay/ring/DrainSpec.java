package io.forebay.ring;

/**
 * Where an instance's files are drained to, and when, and what of them stays in the buffer.
 *
 * @param backing the backing store as a URI; empty for none
 * @param policy when files are drained, in words; empty for only when someone asks
 * @param keep what stays in the buffer longest once it is drained, in words; empty for whatever was
 *     drained last
 */
public record DrainSpec(String backing, String policy, String keep) {
  /** For an instance whose files stay in the buffer. */
  public static final DrainSpec NONE = new DrainSpec("", "", "");

  /** Nothing is preferred to stay in the buffer. */
  public DrainSpec(String backing, String policy) {
    this(backing, policy, "");
  }

  /** The same with other words on what to keep. */
  public DrainSpec keeping(String words) {
    return new DrainSpec(backing, policy, words);
  }

  public boolean isNone() {
    return backing.isEmpty();
  }
}
