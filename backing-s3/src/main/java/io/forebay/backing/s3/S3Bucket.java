// SPDX-License-Identifier: Apache-2.0

package io.forebay.backing.s3;

import io.forebay.backing.BackingException;
import io.forebay.backing.BackingFailure;
import io.forebay.backing.BackingPath;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.core.checksums.ResponseChecksumValidation;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.S3ClientBuilder;

/**
 * One bucket, or the part of it below a prefix: the mapping of paths to keys, and a client that is
 * created at its first use, since that takes a while. Any thread.
 */
final class S3Bucket {
  /** More calls at a time wait for a connection. */
  private static final int CONNECTIONS_MAX = 64;

  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);

  /** Completing a large upload may be silent for long. */
  private static final Duration SILENCE_TIMEOUT = Duration.ofMinutes(2);

  /** Something asked of S3. */
  interface Call<T> {
    T on(S3Client client) throws BackingException;
  }

  final S3Settings settings;
  private final AwsCredentialsProvider credentials;
  private final S3Failures failures;
  // Guarded by this.
  private @Nullable S3Client client;
  private boolean closed;

  S3Bucket(S3Settings settings, AwsCredentialsProvider credentials) {
    this.settings = settings;
    this.credentials = credentials;
    this.failures = new S3Failures(settings);
  }

  String name() {
    return settings.bucket();
  }

  String key(BackingPath path) throws BackingException {
    String key = settings.prefix() + path.text();
    if (key.getBytes(StandardCharsets.UTF_8).length <= S3Settings.KEY_BYTES_MAX) return key;
    throw new BackingException(
        new BackingFailure.Unsupported(
            "'%s' is too long for S3, whose keys have at most %d bytes; rename it"
                .formatted(path, S3Settings.KEY_BYTES_MAX)));
  }

  /** What the keys of all names in a directory begin with. */
  String keysIn(BackingPath directory) throws BackingException {
    return directory.isRoot() ? settings.prefix() : key(directory) + "/";
  }

  /** The path of a key, or null if the key is not one of ours. */
  @Nullable BackingPath path(String key) {
    if (!key.startsWith(settings.prefix())) return null;
    String text = key.substring(settings.prefix().length());
    return BackingPath.problemWith(text) == null ? new BackingPath(text) : null;
  }

  /**
   * Asks, and turns what goes wrong into a failure.
   *
   * @param doing such as {@code "reading"}
   */
  <T> T call(String doing, BackingPath path, Call<T> call) throws BackingException {
    try {
      return call.on(client());
    } catch (SdkException failure) {
      throw failures.of(failure, "%s '%s'".formatted(doing, path));
    }
  }

  synchronized void close() {
    closed = true;
    if (client != null) client.close();
    client = null;
  }

  private synchronized S3Client client() {
    if (closed) throw new IllegalStateException(settings.description() + ": closed");
    S3Client present = client;
    if (present == null) {
      present = connect();
      client = present;
    }
    return present;
  }

  private S3Client connect() {
    S3ClientBuilder builder =
        S3Client.builder()
            .credentialsProvider(credentials)
            .forcePathStyle(settings.pathStyle())
            // Stores other than AWS's often support only what is required.
            .requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED)
            .responseChecksumValidation(ResponseChecksumValidation.WHEN_REQUIRED)
            .httpClientBuilder(
                Apache5HttpClient.builder()
                    .maxConnections(CONNECTIONS_MAX)
                    .connectionTimeout(CONNECT_TIMEOUT)
                    .socketTimeout(SILENCE_TIMEOUT));
    if (settings.endpoint() != null) builder.endpointOverride(settings.endpoint());
    if (settings.region() != null) builder.region(Region.of(settings.region()));
    return builder.build();
  }
}
