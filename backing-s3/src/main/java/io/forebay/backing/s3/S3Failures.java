// SPDX-License-Identifier: Apache-2.0

package io.forebay.backing.s3;

import io.forebay.backing.BackingException;
import io.forebay.backing.BackingFailure;
import java.util.Set;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.s3.model.S3Exception;

/** Converts errors of S3 or its library into failures with a sentence. Stateless; any thread. */
final class S3Failures {
  static final String NO_SUCH_UPLOAD = "NoSuchUpload";

  private static final Set<String> CREDENTIALS =
      Set.of(
          "InvalidAccessKeyId",
          "SignatureDoesNotMatch",
          "ExpiredToken",
          "InvalidToken",
          "InvalidClientTokenId",
          "TokenRefreshRequired",
          "RequestTimeTooSkewed");
  private static final Set<String> FULL =
      Set.of("QuotaExceeded", "XMinioStorageFull", "XMinioAdminBucketQuotaExceeded");
  private static final Set<String> OTHER_REGION =
      Set.of("PermanentRedirect", "AuthorizationHeaderMalformed", "IllegalLocationConstraint");
  private static final Set<String> IMPOSSIBLE =
      Set.of("EntityTooLarge", "KeyTooLongError", "MethodNotAllowed", "NotImplemented");

  /** Damage on the way, and what a busy store says with a code of the client's kind. */
  private static final Set<String> PASSING =
      Set.of("BadDigest", "XAmzContentChecksumMismatch", "RequestTimeout", "SlowDown");

  private static final int FORBIDDEN = 403;
  private static final int NOT_FOUND = 404;
  private static final int TOO_MANY = 429;
  private static final int CONDITION = 412;
  private static final int SERVER_TROUBLE = 500;
  private static final int NO_ROOM = 507;

  private final S3Settings settings;

  S3Failures(S3Settings settings) {
    this.settings = settings;
  }

  static boolean isNoSuchUpload(SdkException failure) {
    return failure instanceof S3Exception answer && code(answer).equals(NO_SUCH_UPLOAD);
  }

  /** The store answered that there is nothing. */
  static boolean isNotFound(SdkException failure) {
    return failure instanceof S3Exception answer
        && answer.statusCode() == NOT_FOUND
        && !code(answer).equals("NoSuchBucket");
  }

  BackingException of(SdkException failure, String doing) {
    String what = "%s in %s failed: ".formatted(doing, settings.description());
    BackingFailure kind =
        failure instanceof S3Exception answer ? answered(answer, what) : unanswered(failure, what);
    return new BackingException(kind, failure);
  }

  private BackingFailure answered(S3Exception answer, String what) {
    String code = code(answer);
    int status = answer.statusCode();
    if (code.equals("NoSuchBucket")) {
      return new BackingFailure.NoRoot(
          what
              + "there is no bucket '%s'; create it, or correct the name"
                  .formatted(settings.bucket()));
    }
    if (OTHER_REGION.contains(code)) {
      return new BackingFailure.NoRoot(
          what + "the bucket is in another region; name it with region=");
    }
    if (CREDENTIALS.contains(code)) {
      return new BackingFailure.WrongCredentials(
          what
              + "the credentials are refused (%s); correct AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY or the profile"
                  .formatted(code));
    }
    if (FULL.contains(code) || status == NO_ROOM) {
      return new BackingFailure.NoSpace(what + code + "; make room there, or raise the quota");
    }
    if (PASSING.contains(code) || status == TOO_MANY || status >= SERVER_TROUBLE) {
      return new BackingFailure.Unavailable(what + words(answer));
    }
    if (IMPOSSIBLE.contains(code)) return new BackingFailure.Unsupported(what + words(answer));
    if (code.equals(NO_SUCH_UPLOAD)) {
      return new BackingFailure.Changed(what + "its upload is gone; it is written again");
    }
    if (status == FORBIDDEN) {
      return new BackingFailure.NoPermission(
          what + "permission denied; allow the user of these credentials to read and write there");
    }
    if (status == NOT_FOUND) return new BackingFailure.NotFound(what + "it is not there");
    if (status == CONDITION) {
      return new BackingFailure.Changed(what + "it has been changed by another program");
    }
    return new BackingFailure.Other(what + words(answer));
  }

  private static BackingFailure unanswered(SdkException failure, String what) {
    String words = String.valueOf(failure.getMessage());
    if (words.contains("Unable to load credentials")) {
      return new BackingFailure.WrongCredentials(
          what
              + "there are no credentials; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or name a profile");
    }
    if (words.contains("Unable to load region")) {
      return new BackingFailure.NoRoot(what + "no region is known; name it with region=");
    }
    return new BackingFailure.Unavailable(what + words + "; look after the network and the store");
  }

  private static String words(S3Exception answer) {
    AwsErrorDetails details = answer.awsErrorDetails();
    if (details == null || details.errorMessage() == null) return "status " + answer.statusCode();
    return "%s (%s)".formatted(details.errorMessage(), code(answer));
  }

  private static String code(S3Exception answer) {
    AwsErrorDetails details = answer.awsErrorDetails();
    return details == null || details.errorCode() == null ? "" : details.errorCode();
  }
}
