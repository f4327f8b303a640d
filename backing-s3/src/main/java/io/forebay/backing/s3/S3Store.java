// SPDX-License-Identifier: Apache-2.0

package io.forebay.backing.s3;

import io.forebay.backing.Attempt;
import io.forebay.backing.AttemptPlan;
import io.forebay.backing.BackingException;
import io.forebay.backing.BackingFailure;
import io.forebay.backing.BackingFile;
import io.forebay.backing.BackingPath;
import io.forebay.backing.BackingStore;
import io.forebay.backing.Capabilities;
import io.forebay.backing.FileAttributes;
import io.forebay.backing.Leftover;
import io.forebay.backing.Listing;
import io.forebay.backing.Sighting;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ReadableByteChannel;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.core.ResponseInputStream;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.GetObjectRequest;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;
import software.amazon.awssdk.services.s3.model.HeadObjectResponse;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Response;
import software.amazon.awssdk.services.s3.model.S3Exception;

/**
 * A bucket as a backing store. A directory exists as long as a key begins with its name and a
 * slash; a created directory is such a key itself, with an empty object. Modes, owners and times
 * are in the objects' metadata, where {@link #stat} finds them and {@link #list} does not. Any
 * thread.
 */
public final class S3Store implements BackingStore {
  private static final int RANGE_NOT_SATISFIABLE = 416;

  private final S3Bucket bucket;
  private final Capabilities capabilities;
  private final S3Uploads uploads;
  private final S3Renames renames;

  S3Store(S3Settings settings, AwsCredentialsProvider credentials) {
    this.bucket = new S3Bucket(settings, credentials);
    this.capabilities =
        new Capabilities(
            true,
            false,
            settings.partBytes(),
            S3Settings.PART_BYTES_MAX,
            S3Settings.PARTS_MAX,
            false,
            false,
            false,
            false,
            true,
            settings.partBytes(),
            settings.checksums()
                ? Capabilities.Verification.ON_WRITE
                : Capabilities.Verification.READ_BACK);
    this.uploads = new S3Uploads(bucket, capabilities);
    this.renames = new S3Renames(bucket, S3Settings.PART_BYTES_MAX);
  }

  @Override
  public String description() {
    return bucket.settings.description();
  }

  @Override
  public Capabilities capabilities() {
    return capabilities;
  }

  /** By listing: its answer names the problem, unlike that of a request for the bucket itself. */
  @Override
  public void check() throws BackingException {
    firstKeys("using", BackingPath.ROOT, 1);
  }

  @Override
  public Attempt begin(AttemptPlan plan) throws BackingException {
    return uploads.begin(plan);
  }

  @Override
  public void write(Attempt attempt, long offset, List<ByteBuffer> source) throws BackingException {
    uploads.write(attempt, offset, source);
  }

  /** A part that was answered is lasting. */
  @Override
  public void force(Attempt attempt) {}

  @Override
  public List<String> commit(Attempt attempt, BackingPath name) throws BackingException {
    uploads.commit(attempt, name);
    return List.of();
  }

  @Override
  public Sighting look(Attempt attempt, BackingPath name) throws BackingException {
    return uploads.look(attempt);
  }

  @Override
  public void abort(Attempt attempt) throws BackingException {
    uploads.abort(attempt);
  }

  @Override
  public List<Leftover> leftovers(BackingPath directory) throws BackingException {
    return uploads.leftovers(directory);
  }

  @Override
  public void remove(Leftover leftover) throws BackingException {
    uploads.remove(leftover);
  }

  @Override
  public BackingFile stat(BackingPath path) throws BackingException {
    if (path.isRoot()) {
      check();
      return S3Listing.directoryEntry(FileAttributes.NONE);
    }
    HeadObjectResponse head = head("looking at", path, bucket.key(path));
    if (head != null) return file(path, head);
    // No file: then a directory, if any key begins with it.
    if (firstKeys("looking at", path, 1).contents().isEmpty()) throw missing(path);
    HeadObjectResponse mark = head("looking at", path, bucket.keysIn(path));
    return S3Listing.directoryEntry(
        mark == null
            ? FileAttributes.NONE
            : Metadata.attributes(mark.metadata(), mark.lastModified()));
  }

  @Override
  public int read(BackingPath path, String version, long offset, ByteBuffer target)
      throws BackingException {
    if (path.isRoot()) throw missing(path);
    if (!target.hasRemaining()) return 0;
    String key = bucket.key(path);
    return bucket.call(
        "reading",
        path,
        client -> {
          GetObjectRequest.Builder request =
              GetObjectRequest.builder()
                  .bucket(bucket.name())
                  .key(key)
                  .range("bytes=%d-%d".formatted(offset, offset + target.remaining() - 1));
          if (!version.isEmpty() && !Metadata.isAttempt(version)) request.ifMatch(version);
          return receive(client, request.build(), path, version, target);
        });
  }

  @Override
  public Listing list(BackingPath directory) throws BackingException {
    return new S3Listing(bucket, directory);
  }

  @Override
  public void makeDirectory(BackingPath path, FileAttributes attributes) throws BackingException {
    if (path.isRoot()) return;
    if (head("making directory", path, bucket.key(path)) != null) {
      throw new BackingException(
          new BackingFailure.WrongKind(
              "'%s' in %s is a file; a directory cannot have its name"
                  .formatted(path, description())));
    }
    if (!path.parent().isRoot() && head("making", path, bucket.keysIn(path.parent())) == null) {
      makeDirectory(path.parent(), FileAttributes.NONE);
    }
    String key = bucket.keysIn(path);
    Map<String, String> metadata = Metadata.attributes(attributes);
    // An object from a single put may appear late; this one only shows that a directory exists.
    bucket.call(
        "making directory",
        path,
        client ->
            client.putObject(
                request -> request.bucket(bucket.name()).key(key).metadata(metadata),
                RequestBody.empty()));
  }

  @Override
  public void removeDirectory(BackingPath path) throws BackingException {
    if (path.isRoot()) throw missing(path);
    String mark = bucket.keysIn(path);
    ListObjectsV2Response first = firstKeys("removing directory", path, 2);
    if (first.contents().isEmpty()) throw missing(path);
    if (first.contents().stream().anyMatch(object -> !object.key().equals(mark))) {
      throw new BackingException(
          new BackingFailure.NotEmpty("'%s' in %s is not empty".formatted(path, description())));
    }
    renames.delete("removing directory", path, mark);
  }

  @Override
  public void delete(BackingPath path, String version) throws BackingException {
    if (path.isRoot()) throw missing(path);
    HeadObjectResponse head = head("deleting", path, bucket.key(path));
    if (head == null) throw missing(path);
    requireVersion(path, version, head.metadata(), head.eTag());
    renames.delete("deleting", path, bucket.key(path));
  }

  /** Copies, then deletes; after an interruption in between both exist. */
  @Override
  public void rename(BackingPath from, BackingPath to) throws BackingException {
    if (from.isRoot() || to.isRoot()) throw missing(from);
    HeadObjectResponse head = head("renaming", from, bucket.key(from));
    if (head != null) {
      renames.rename(from, to, head);
      return;
    }
    if (firstKeys("renaming", from, 1).contents().isEmpty()) throw missing(from);
    throw new BackingException(
        new BackingFailure.Unsupported(
            "'%s' is a directory, which S3 cannot rename; rename what is in it".formatted(from)));
  }

  @Override
  public void makeSymlink(BackingPath path, String target) throws BackingException {
    throw noLinks(path);
  }

  @Override
  public String readSymlink(BackingPath path) throws BackingException {
    throw noLinks(path);
  }

  @Override
  public void close() {
    bucket.close();
  }

  private int receive(
      S3Client client,
      GetObjectRequest request,
      BackingPath path,
      String version,
      ByteBuffer target)
      throws BackingException {
    ByteBuffer rest = target.duplicate();
    try (ResponseInputStream<GetObjectResponse> body = client.getObject(request);
        ReadableByteChannel channel = Channels.newChannel(body)) {
      GetObjectResponse head = body.response();
      if (Metadata.isAttempt(version)) requireVersion(path, version, head.metadata(), head.eTag());
      long expected = head.contentLength();
      while (rest.hasRemaining() && channel.read(rest) >= 0) {}
      int bytes = rest.position() - target.position();
      if (bytes != Math.min(expected, target.remaining())) {
        throw new IOException("%d of %d bytes came".formatted(bytes, expected));
      }
      target.position(rest.position());
      return bytes;
    } catch (S3Exception answer) {
      if (answer.statusCode() == RANGE_NOT_SATISFIABLE) return 0;
      throw answer;
    } catch (IOException broken) {
      throw new BackingException(
          new BackingFailure.Unavailable(
              "reading '%s' in %s broke off: %s"
                  .formatted(path, description(), broken.getMessage())),
          broken);
    }
  }

  private @Nullable HeadObjectResponse head(String doing, BackingPath path, String key)
      throws BackingException {
    return bucket.<HeadAnswer>call(
            doing,
            path,
            client -> {
              try {
                return new HeadAnswer(
                    client.headObject(request -> request.bucket(bucket.name()).key(key)));
              } catch (SdkException failure) {
                if (S3Failures.isNotFound(failure)) return new HeadAnswer(null);
                throw failure;
              }
            })
        .head;
  }

  private record HeadAnswer(@Nullable HeadObjectResponse head) {}

  private ListObjectsV2Response firstKeys(String doing, BackingPath path, int keysMax)
      throws BackingException {
    String prefix = bucket.keysIn(path);
    return bucket.call(
        doing,
        path,
        client ->
            client.listObjectsV2(
                request -> request.bucket(bucket.name()).prefix(prefix).maxKeys(keysMax)));
  }

  private BackingFile file(BackingPath path, HeadObjectResponse head) {
    return new BackingFile(
        BackingFile.Kind.FILE,
        head.contentLength(),
        Metadata.attributes(head.metadata(), head.lastModified()),
        1,
        path.text(),
        Metadata.version(head.metadata(), head.eTag()));
  }

  private void requireVersion(
      BackingPath path, String version, Map<String, String> metadata, String tag)
      throws BackingException {
    if (version.isEmpty() || version.equals(tag)) return;
    if (version.equals(Metadata.version(metadata, tag))) return;
    throw new BackingException(
        new BackingFailure.Changed(
            "'%s' in %s has been changed by another program".formatted(path, description())));
  }

  private BackingException missing(BackingPath path) {
    return new BackingException(
        new BackingFailure.NotFound("there is no '%s' in %s".formatted(path, description())));
  }

  private BackingException noLinks(BackingPath path) {
    return new BackingException(
        new BackingFailure.Unsupported(
            "'%s' cannot be a symbolic link: S3 has none".formatted(path)));
  }
}
