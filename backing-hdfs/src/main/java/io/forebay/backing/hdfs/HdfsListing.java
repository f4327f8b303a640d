// SPDX-License-Identifier: Apache-2.0

package io.forebay.backing.hdfs;

import io.forebay.backing.BackingException;
import io.forebay.backing.BackingPath;
import io.forebay.backing.Listing;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.RemoteIterator;

/** The names in one directory, without Forebay's own files. One thread at a time. */
final class HdfsListing implements Listing {
  private final HdfsRoot root;
  private final BackingPath directory;
  private final RemoteIterator<FileStatus> names;

  HdfsListing(HdfsRoot root, BackingPath directory, RemoteIterator<FileStatus> names) {
    this.root = root;
    this.directory = directory;
    this.names = names;
  }

  @Override
  public List<Entry> next(int entriesMax) throws BackingException {
    return root.call(
        "listing",
        directory,
        files -> {
          List<Entry> entries = new ArrayList<>();
          while (entries.size() < entriesMax && names.hasNext()) {
            FileStatus status = names.next();
            String name = status.getPath().getName();
            if (BackingPath.problemWith(name) == null) {
              entries.add(new Entry(name, HdfsRoot.stored(status)));
            }
          }
          return entries;
        });
  }

  @Override
  public void close() {}
}
