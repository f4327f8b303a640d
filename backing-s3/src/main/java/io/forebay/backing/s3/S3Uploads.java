// SPDX-License-Identifier: Apache-2.0

package io.forebay.backing.s3;

import io.forebay.backing.Attempt;
import io.forebay.backing.AttemptPlan;
import io.forebay.backing.BackingException;
import io.forebay.backing.BackingFailure;
import io.forebay.backing.BackingPath;
import io.forebay.backing.BackingStore;
import io.forebay.backing.Capabilities;
import io.forebay.backing.Leftover;
import io.forebay.backing.Sighting;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.ChecksumAlgorithm;
import software.amazon.awssdk.services.s3.model.CompletedPart;
import software.amazon.awssdk.services.s3.model.CreateMultipartUploadRequest;
import software.amazon.awssdk.services.s3.model.HeadObjectResponse;
import software.amazon.awssdk.services.s3.model.MultipartUpload;
import software.amazon.awssdk.services.s3.model.Part;
import software.amazon.awssdk.services.s3.model.UploadPartRequest;

/**
 * Attempts as multipart uploads; the handle is the upload's id. An aborted upload can never become
 * an object, while an object from a single put, even a conditional one, may appear at any later
 * time. So small files are uploads too. Any thread.
 */
final class S3Uploads {
  /** In S3 a part that is in flight may survive an abort: then another abort is needed. */
  private static final int ABORTS_MAX = 5;

  private static final String UPLOAD_GONE = "its upload is gone";
  private static final String STREAM = "application/octet-stream";

  private final S3Bucket bucket;
  private final Capabilities capabilities;

  S3Uploads(S3Bucket bucket, Capabilities capabilities) {
    this.bucket = bucket;
    this.capabilities = capabilities;
  }

  Attempt begin(AttemptPlan plan) throws BackingException {
    BackingPath target = plan.target();
    if (plan.sizeBytes() > capabilities.fileBytesMax()) {
      throw new BackingException(
          new BackingFailure.Unsupported(
              "'%s' has %d bytes; S3 stores at most %d in an object"
                  .formatted(target, plan.sizeBytes(), capabilities.fileBytesMax())));
    }
    String key = bucket.key(target);
    return bucket.call(
        "beginning to write",
        target,
        client -> {
          CreateMultipartUploadRequest.Builder request =
              CreateMultipartUploadRequest.builder()
                  .bucket(bucket.name())
                  .key(key)
                  .contentType(STREAM)
                  .metadata(Metadata.of(plan));
          if (bucket.settings.checksums()) request.checksumAlgorithm(ChecksumAlgorithm.CRC32_C);
          return new Attempt(plan, client.createMultipartUpload(request.build()).uploadId());
        });
  }

  void write(Attempt attempt, long offset, List<ByteBuffer> source) throws BackingException {
    long bytes = 0;
    for (ByteBuffer buffer : source) bytes += buffer.remaining();
    int part = partNumber(attempt.plan(), offset, bytes);
    String key = bucket.key(attempt.plan().target());
    long length = bytes;
    bucket.call(
        "writing",
        attempt.plan().target(),
        client -> {
          sendPart(client, attempt, key, part, source, length);
          return true;
        });
    for (ByteBuffer buffer : source) buffer.position(buffer.limit());
  }

  void commit(Attempt attempt, BackingPath name) throws BackingException {
    if (!name.equals(attempt.plan().target())) {
      throw changed(attempt, "it was begun as '%s' and S3 cannot rename".formatted(name));
    }
    bucket.call(
        "storing",
        name,
        client -> {
          String missing = complete(client, attempt);
          // A committed attempt has no upload any more.
          if (missing != null && look(attempt) != Sighting.COMMITTED) {
            throw changed(attempt, missing);
          }
          return true;
        });
  }

  Sighting look(Attempt attempt) throws BackingException {
    BackingPath target = attempt.plan().target();
    String key = bucket.key(target);
    return bucket.call(
        "looking for",
        target,
        client -> {
          if (isCommitted(client, attempt, key)) return Sighting.COMMITTED;
          boolean pending =
              attempt.isTold()
                  ? exists(client, key, attempt.handle())
                  : !uploads(client, key, true).isEmpty();
          return pending ? Sighting.PENDING : Sighting.GONE;
        });
  }

  /** An upload whose id is unknown is aborted with all others of the same name. */
  void abort(Attempt attempt) throws BackingException {
    BackingPath target = attempt.plan().target();
    String key = bucket.key(target);
    bucket.call(
        "aborting the upload of",
        target,
        client -> {
          if (attempt.isTold()) abort(client, key, attempt.handle());
          else
            for (MultipartUpload each : uploads(client, key, true))
              abort(client, key, each.uploadId());
          return true;
        });
  }

  List<Leftover> leftovers(BackingPath directory) throws BackingException {
    String prefix = bucket.keysIn(directory);
    return bucket.call(
        "listing the uploads in",
        directory,
        client -> {
          List<Leftover> found = new ArrayList<>();
          for (MultipartUpload each : uploads(client, prefix, false)) {
            BackingPath path = bucket.path(each.key());
            if (path == null) continue;
            long nanos = each.initiated() == null ? 0 : Metadata.nanos(each.initiated());
            found.add(new Leftover(path, "", each.uploadId(), nanos));
          }
          return found;
        });
  }

  void remove(Leftover leftover) throws BackingException {
    String key = bucket.key(leftover.place());
    bucket.call(
        "aborting the upload of",
        leftover.place(),
        client -> {
          abort(client, key, leftover.handle());
          return true;
        });
  }

  private void sendPart(
      S3Client client, Attempt attempt, String key, int part, List<ByteBuffer> source, long bytes) {
    UploadPartRequest.Builder request =
        UploadPartRequest.builder()
            .bucket(bucket.name())
            .key(key)
            .uploadId(attempt.handle())
            .partNumber(part)
            .contentLength(bytes);
    if (bucket.settings.checksums()) {
      request.checksumCRC32C(base64(GatherStream.checksum(source)));
    }
    client.uploadPart(
        request.build(),
        RequestBody.fromContentProvider(() -> new GatherStream(source), bytes, STREAM));
  }

  /** Returns what was missing, or null if the upload is an object now. */
  private @Nullable String complete(S3Client client, Attempt attempt) throws BackingException {
    String key = bucket.key(attempt.plan().target());
    long sizeBytes = attempt.plan().sizeBytes();
    try {
      if (sizeBytes == 0) {
        // An object of no parts cannot be completed.
        if (!exists(client, key, attempt.handle())) return UPLOAD_GONE;
        sendPart(client, attempt, key, 1, List.of(), 0);
      }
      List<CompletedPart> parts = new ArrayList<>();
      long bytes = 0;
      for (Part part : parts(client, key, attempt.handle())) {
        if (part.partNumber() != (bytes / shortestPart(attempt.plan())) + 1) break;
        bytes += part.size();
        parts.add(completed(part));
      }
      if (bytes != sizeBytes) {
        return "only %d of %d bytes were written".formatted(bytes, sizeBytes);
      }
      client.completeMultipartUpload(
          request ->
              request
                  .bucket(bucket.name())
                  .key(key)
                  .uploadId(attempt.handle())
                  .multipartUpload(upload -> upload.parts(parts)));
      return null;
    } catch (SdkException failure) {
      if (S3Failures.isNoSuchUpload(failure)) return UPLOAD_GONE;
      throw failure;
    }
  }

  private CompletedPart completed(Part part) {
    return CompletedPart.builder()
        .partNumber(part.partNumber())
        .eTag(part.eTag())
        .checksumCRC32C(bucket.settings.checksums() ? part.checksumCRC32C() : null)
        .build();
  }

  private Iterable<Part> parts(S3Client client, String key, String upload) {
    return client
        .listPartsPaginator(list -> list.bucket(bucket.name()).key(key).uploadId(upload))
        .parts();
  }

  private boolean isCommitted(S3Client client, Attempt attempt, String key) {
    HeadObjectResponse head = head(client, key);
    return head != null
        && attempt.id().text().equals(head.metadata().get(Metadata.ATTEMPT))
        && head.contentLength() == attempt.plan().sizeBytes();
  }

  private @Nullable HeadObjectResponse head(S3Client client, String key) {
    try {
      return client.headObject(request -> request.bucket(bucket.name()).key(key));
    } catch (SdkException failure) {
      if (S3Failures.isNotFound(failure)) return null;
      throw failure;
    }
  }

  private void abort(S3Client client, String key, String upload) throws BackingException {
    for (int i = 0; i < ABORTS_MAX; i++) {
      try {
        client.abortMultipartUpload(
            request -> request.bucket(bucket.name()).key(key).uploadId(upload));
      } catch (SdkException failure) {
        if (!S3Failures.isNoSuchUpload(failure)) throw failure;
      }
      if (!exists(client, key, upload) && !hasParts(client, key, upload)) return;
    }
    throw new BackingException(
        new BackingFailure.Unavailable(
            "an upload of '%s' to %s is still there although it was aborted %d times"
                .formatted(key, bucket.settings.description(), ABORTS_MAX)));
  }

  private boolean exists(S3Client client, String key, String upload) {
    return uploads(client, key, true).stream().anyMatch(each -> each.uploadId().equals(upload));
  }

  private boolean hasParts(S3Client client, String key, String upload) {
    try {
      return parts(client, key, upload).iterator().hasNext();
    } catch (SdkException failure) {
      if (S3Failures.isNoSuchUpload(failure)) return false;
      throw failure;
    }
  }

  /** The uploads with this key or key prefix; at most as many as a caller asks for. */
  private List<MultipartUpload> uploads(S3Client client, String prefix, boolean exactly) {
    List<MultipartUpload> found = new ArrayList<>();
    for (MultipartUpload upload :
        client
            .listMultipartUploadsPaginator(request -> request.bucket(bucket.name()).prefix(prefix))
            .uploads()) {
      // In the order of keys: the exact one comes first.
      if (exactly && !upload.key().equals(prefix)) break;
      found.add(upload);
      if (found.size() == BackingStore.LEFTOVERS_MAX) break;
    }
    return found;
  }

  /**
   * Part numbers need not be consecutive, only ascending. So the number follows from the offset for
   * any length of parts, as long as none is shorter than S3 allows.
   */
  private static int partNumber(AttemptPlan plan, long offset, long bytes) {
    long unit = shortestPart(plan);
    boolean last = offset + bytes == plan.sizeBytes();
    boolean inside = offset >= 0 && bytes > 0 && bytes <= plan.sizeBytes() - offset;
    if (!inside || (bytes < unit && !last)) {
      throw new IllegalArgumentException(
          "%d bytes at %d are not a part of %s, which has parts of %d and more"
              .formatted(bytes, offset, plan, unit));
    }
    return (int) (offset / unit) + 1;
  }

  private static long shortestPart(AttemptPlan plan) {
    long needed = Math.ceilDiv(plan.sizeBytes(), (long) S3Settings.PARTS_MAX);
    return Math.max(S3Settings.PART_BYTES_MIN, needed);
  }

  private BackingException changed(Attempt attempt, String words) {
    return new BackingException(
        new BackingFailure.Changed(
            "'%s' was not stored in %s: %s; it is written again"
                .formatted(attempt.plan().target(), bucket.settings.description(), words)));
  }

  private static String base64(int checksum) {
    return Base64.getEncoder()
        .encodeToString(ByteBuffer.allocate(Integer.BYTES).putInt(0, checksum).array());
  }
}
