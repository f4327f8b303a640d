// SPDX-License-Identifier: Apache-2.0

package io.forebay.backing.s3;

import io.forebay.backing.BackingException;
import io.forebay.backing.BackingFailure;
import io.forebay.backing.BackingFile;
import io.forebay.backing.BackingPath;
import io.forebay.backing.FileAttributes;
import io.forebay.backing.Listing;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.s3.model.CommonPrefix;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Response;
import software.amazon.awssdk.services.s3.model.S3Object;

/** The keys of one directory, in S3's pages. One thread at a time. */
final class S3Listing implements Listing {
  private final S3Bucket bucket;
  private final BackingPath directory;
  private final String prefix;
  private final Deque<Entry> ready = new ArrayDeque<>();
  private @Nullable String continuation;
  private boolean ended;

  /** Asks for the first page, which tells whether there is such a directory. */
  S3Listing(S3Bucket bucket, BackingPath directory) throws BackingException {
    this.bucket = bucket;
    this.directory = directory;
    this.prefix = bucket.keysIn(directory);
    boolean found = fetch();
    if (!found && !directory.isRoot()) {
      throw new BackingException(
          new BackingFailure.NotFound(
              "there is no directory '%s' in %s"
                  .formatted(directory, bucket.settings.description())));
    }
  }

  static BackingFile directoryEntry(FileAttributes attributes) {
    return new BackingFile(BackingFile.Kind.DIRECTORY, 0, attributes, 1, "", "");
  }

  @Override
  public List<Entry> next(int entriesMax) throws BackingException {
    while (ready.isEmpty() && !ended) fetch();
    List<Entry> entries = new ArrayList<>();
    while (entries.size() < entriesMax && !ready.isEmpty()) entries.add(ready.remove());
    return entries;
  }

  @Override
  public void close() {
    ready.clear();
    ended = true;
  }

  private boolean fetch() throws BackingException {
    ListObjectsV2Response page =
        bucket.call(
            "listing",
            directory,
            client ->
                client.listObjectsV2(
                    request ->
                        request
                            .bucket(bucket.name())
                            .prefix(prefix)
                            .delimiter("/")
                            .continuationToken(continuation)));
    for (S3Object object : page.contents()) addFile(object);
    for (CommonPrefix below : page.commonPrefixes()) addDirectory(below.prefix());
    continuation = page.nextContinuationToken();
    ended = continuation == null;
    return !page.contents().isEmpty() || !page.commonPrefixes().isEmpty();
  }

  private void addFile(S3Object object) {
    String name = object.key().substring(prefix.length());
    // The empty name is the mark of the directory itself.
    if (name.isEmpty() || BackingPath.problemWith(name) != null) return;
    FileAttributes attributes =
        new FileAttributes(
            FileAttributes.UNKNOWN,
            FileAttributes.UNKNOWN,
            FileAttributes.UNKNOWN,
            object.lastModified() == null
                ? FileAttributes.UNKNOWN
                : Metadata.nanos(object.lastModified()));
    ready.add(
        new Entry(
            name,
            new BackingFile(
                BackingFile.Kind.FILE, object.size(), attributes, 1, object.key(), object.eTag())));
  }

  private void addDirectory(String below) {
    String name = below.substring(prefix.length(), below.length() - 1);
    if (name.isEmpty() || BackingPath.problemWith(name) != null) return;
    ready.add(new Entry(name, directoryEntry(FileAttributes.NONE)));
  }
}
