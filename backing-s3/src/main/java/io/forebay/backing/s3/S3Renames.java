// SPDX-License-Identifier: Apache-2.0

package io.forebay.backing.s3;

import io.forebay.backing.BackingException;
import io.forebay.backing.BackingPath;
import java.util.ArrayList;
import java.util.List;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.CompletedPart;
import software.amazon.awssdk.services.s3.model.HeadObjectResponse;

/**
 * Renames objects by copying them inside the store: in one call up to the limit of a call, else as
 * an upload of copied parts. Any thread.
 */
final class S3Renames {
  private final S3Bucket bucket;
  private final long copyBytesMax;

  S3Renames(S3Bucket bucket, long copyBytesMax) {
    this.bucket = bucket;
    this.copyBytesMax = copyBytesMax;
  }

  void rename(BackingPath from, BackingPath to, HeadObjectResponse source) throws BackingException {
    String sourceKey = bucket.key(from);
    String key = bucket.key(to);
    bucket.call(
        "renaming",
        from,
        client -> {
          if (source.contentLength() <= copyBytesMax) copy(client, sourceKey, key, source);
          else copyParts(client, sourceKey, key, source);
          return true;
        });
    delete("renaming", from, sourceKey);
  }

  void delete(String doing, BackingPath path, String key) throws BackingException {
    bucket.call(
        doing,
        path,
        client -> client.deleteObject(request -> request.bucket(bucket.name()).key(key)));
  }

  private void copy(S3Client client, String from, String to, HeadObjectResponse source) {
    client.copyObject(
        request ->
            request
                .sourceBucket(bucket.name())
                .sourceKey(from)
                .copySourceIfMatch(source.eTag())
                .destinationBucket(bucket.name())
                .destinationKey(to));
  }

  private void copyParts(S3Client client, String from, String to, HeadObjectResponse source) {
    String upload =
        client
            .createMultipartUpload(
                request ->
                    request
                        .bucket(bucket.name())
                        .key(to)
                        .contentType(source.contentType())
                        .metadata(source.metadata()))
            .uploadId();
    List<CompletedPart> parts = new ArrayList<>();
    for (long at = 0; at < source.contentLength(); at += copyBytesMax) {
      long last = Math.min(at + copyBytesMax, source.contentLength()) - 1;
      String range = "bytes=%d-%d".formatted(at, last);
      int number = parts.size() + 1;
      String tag =
          client
              .uploadPartCopy(
                  request ->
                      request
                          .sourceBucket(bucket.name())
                          .sourceKey(from)
                          .copySourceRange(range)
                          .copySourceIfMatch(source.eTag())
                          .destinationBucket(bucket.name())
                          .destinationKey(to)
                          .uploadId(upload)
                          .partNumber(number))
              .copyPartResult()
              .eTag();
      parts.add(CompletedPart.builder().partNumber(number).eTag(tag).build());
    }
    client.completeMultipartUpload(
        request ->
            request
                .bucket(bucket.name())
                .key(to)
                .uploadId(upload)
                .multipartUpload(whole -> whole.parts(parts)));
  }
}
