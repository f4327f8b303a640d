// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.stage;

/**
 * The newest stage of a path in an instance.
 *
 * @param path in the instance
 * @param stage its id
 * @param outside the path on the other side
 * @param file the number of the file that is staged out; 0 if it is staged in
 * @param members how many files the stage has if it is a list; else 1
 * @param createdNanos when it was requested, in nanoseconds since 1970
 */
public record StagedPath(
    int version,
    String path,
    String stage,
    Kind kind,
    StageRequest.Direction direction,
    String outside,
    long file,
    int members,
    long createdNanos) {
  /** The first field; readers refuse others. */
  public static final int VERSION = 1;

  /** What was requested. */
  public enum Kind {
    FILE,
    /** With everything in it. */
    DIRECTORY,
    /** A file of a list. */
    LISTED
  }
}
