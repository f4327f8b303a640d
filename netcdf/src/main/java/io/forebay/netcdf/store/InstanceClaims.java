// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.store;

import io.forebay.client.Forebay;
import io.forebay.client.file.FileStat;
import io.forebay.client.nio.ForebayFileSystemProvider;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/**
 * An instance has no such locks, but it knows the writers of a file: a client that created it or
 * published to it, has not closed it, and still has a live session. A killed program counts as
 * running until its session expires.
 */
final class InstanceClaims implements Claims {
  @Override
  public SharedFile make(Path path) throws IOException {
    Forebay client = ForebayFileSystemProvider.clientOf(path);
    Optional<FileStat> found = find(client, path);
    if (found.isPresent()) {
      if (client.nodes().isWritten(found.get().number())) throw inUse(path);
      takeAway(client, path, found.get().number());
    }
    return InstanceFile.open(
        path, StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE);
  }

  /**
   * Removes the file with that number and no other: another program may create a file of the same
   * name after the check. So the file first gets a name that only this number has.
   */
  private static void takeAway(Forebay client, Path path, long number) throws IOException {
    String aside = text(path) + "." + number;
    client.rename(text(path), aside, true, false);
    if (client.stat(aside).number() != number) {
      client.rename(aside, text(path), true, false);
      throw inUse(path);
    }
    client.unlink(aside);
  }

  @Override
  public boolean claim(SharedFile file, long place) {
    // A client that created it, or published to it, and has not closed it uses all of it.
    return true;
  }

  @Override
  public boolean isUsed(Path path, long placeBytes) throws IOException {
    Forebay client = ForebayFileSystemProvider.clientOf(path);
    Optional<FileStat> found = find(client, path);
    return found.isPresent() && client.nodes().isWritten(found.get().number());
  }

  private static Optional<FileStat> find(Forebay client, Path path) throws IOException {
    try {
      return Optional.of(client.stat(text(path)));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }

  private static String text(Path path) {
    return path.toAbsolutePath().toString();
  }

  private static FileAlreadyExistsException inUse(Path path) {
    return new FileAlreadyExistsException(path.toUri().toString(), null, "it is in use");
  }
}
