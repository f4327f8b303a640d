// SPDX-License-Identifier: Apache-2.0

package io.forebay.backing.posix;

import io.forebay.backing.BackingException;
import io.forebay.backing.BackingFailure;
import io.forebay.backing.BackingPath;
import io.forebay.backing.Listing;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The names in one open directory, without Forebay's own files. One thread at a time. */
final class PosixListing implements Listing {
  private static final Logger LOG = LoggerFactory.getLogger(PosixListing.class);

  private final Tree.Directory directory;
  private final Iterator<Path> names;

  PosixListing(Tree.Directory directory) throws IOException {
    this.directory = directory;
    this.names = directory.handle().iterator();
  }

  @Override
  public List<Entry> next(int entriesMax) throws BackingException {
    List<Entry> entries = new ArrayList<>();
    try {
      while (entries.size() < entriesMax && names.hasNext()) {
        Path file = names.next().getFileName();
        if (file == null) throw new IllegalStateException("a directory entry without a name");
        String name = file.toString();
        PosixNode node = directory.find(name);
        boolean own = name.startsWith(BackingPath.RESERVED_PREFIX);
        if (node != null && !own) entries.add(new Entry(name, node.file()));
      }
      return entries;
    } catch (DirectoryIteratorException broken) {
      throw PosixFailures.of(
          Objects.requireNonNull(broken.getCause()), "listing '%s'".formatted(directory.path));
    } catch (IOException failure) {
      throw PosixFailures.of(failure, "listing '%s'".formatted(directory.path));
    } catch (IllegalArgumentException unwritable) {
      throw new BackingException(
          new BackingFailure.Unsupported(
              "'%s' has a name that cannot be read in this locale".formatted(directory.path)),
          unwritable);
    }
  }

  @Override
  public void close() {
    try {
      directory.close();
    } catch (IOException failure) {
      LOG.warn("{}: closing failed", directory.path, failure);
    }
  }
}
