// SPDX-License-Identifier: Apache-2.0

package io.forebay.backing.s3;

import io.forebay.backing.BackingStore;
import io.forebay.backing.location.BackingLocation;
import java.net.URI;
import java.util.Properties;
import org.gaul.s3proxy.BlobStores;
import org.gaul.s3proxy.S3Proxy;
import org.gaul.s3proxy.auth.AuthenticationType;
import org.gaul.s3proxy.blobstore.BlobStore;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.SdkSystemSetting;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;

/** An S3 server in this process, which keeps objects in memory and checks signatures. */
final class TestServer {
  static final String BUCKET = "backing";
  private static final String ACCESS_KEY = "someone";
  private static final String SECRET_KEY = "secret";

  private final BlobStore blobs;
  private final S3Proxy proxy;

  TestServer() throws Exception {
    blobs = BlobStores.create("transient", new Properties());
    proxy =
        S3Proxy.builder()
            .blobStore(blobs)
            .awsAuthentication(AuthenticationType.AWS_V2_OR_V4, ACCESS_KEY, SECRET_KEY)
            .stopTimeout(0)
            .endpoint(URI.create("http://127.0.0.1:0"))
            .build();
    proxy.start();
    try (S3Client client = client()) {
      client.createBucket(request -> request.bucket(BUCKET));
    }
  }

  String endpoint() {
    return "http://127.0.0.1:" + proxy.getPort();
  }

  /** A client for what only a server's owner does. */
  S3Client client() {
    return S3Client.builder()
        .endpointOverride(URI.create(endpoint()))
        .region(Region.US_EAST_1)
        .forcePathStyle(true)
        .credentialsProvider(credentials(SECRET_KEY))
        .build();
  }

  BackingStore open(String place) {
    return open(place, SECRET_KEY);
  }

  BackingStore open(String place, String secret) {
    String address =
        "s3://%s%sendpoint=%s&part=5MiB"
            .formatted(place, place.contains("?") ? "&" : "?", endpoint());
    return new S3Store(S3Settings.of(BackingLocation.parse(address)), credentials(secret));
  }

  /** Lets stores that are opened by their address alone find the key, or not any more. */
  void credentialsForThisProcess(boolean known) {
    if (known) {
      System.setProperty(SdkSystemSetting.AWS_ACCESS_KEY_ID.property(), ACCESS_KEY);
      System.setProperty(SdkSystemSetting.AWS_SECRET_ACCESS_KEY.property(), SECRET_KEY);
    } else {
      System.clearProperty(SdkSystemSetting.AWS_ACCESS_KEY_ID.property());
      System.clearProperty(SdkSystemSetting.AWS_SECRET_ACCESS_KEY.property());
    }
  }

  void stop() throws Exception {
    proxy.stop();
    blobs.close();
  }

  StaticCredentialsProvider credentials() {
    return credentials(SECRET_KEY);
  }

  private static StaticCredentialsProvider credentials(String secret) {
    return StaticCredentialsProvider.create(AwsBasicCredentials.create(ACCESS_KEY, secret));
  }
}
