// SPDX-License-Identifier: Apache-2.0

package io.forebay.backing;

/**
 * A file or directory of a store.
 *
 * @param links how many names the file has
 * @param identity the same for all names of one file and for no other file, also after a rename
 * @param version changes with the content; for {@link BackingStore#read}
 */
public record BackingFile(
    Kind kind,
    long sizeBytes,
    FileAttributes attributes,
    int links,
    String identity,
    String version) {
  public enum Kind {
    FILE,
    DIRECTORY,
    SYMLINK,
    /** A device, a pipe, a socket. */
    OTHER
  }
}
