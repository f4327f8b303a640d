// SPDX-License-Identifier: Apache-2.0

package io.forebay.namespace.tree.drain;

/**
 * An entry of a directory of the backing store. Attributes that the store does not know are
 * negative.
 *
 * @param contentTag the store's tag of a file's content, to detect changes by other programs
 */
public record FoundInBacking(
    String name,
    Kind kind,
    long sizeBytes,
    int mode,
    int user,
    int group,
    long modifyNanos,
    String contentTag) {
  public enum Kind {
    FILE,
    DIRECTORY,
    /** Nothing, though there was a file when it was last looked. */
    NOTHING
  }

  /** For a name that nothing has any more. */
  public static FoundInBacking nothing(String name) {
    return new FoundInBacking(name, Kind.NOTHING, 0, -1, -1, -1, -1, "");
  }
}
