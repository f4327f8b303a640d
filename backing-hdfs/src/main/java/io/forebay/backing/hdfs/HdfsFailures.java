// SPDX-License-Identifier: Apache-2.0

package io.forebay.backing.hdfs;

import io.forebay.backing.BackingException;
import io.forebay.backing.BackingFailure;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.file.AccessDeniedException;
import javax.security.sasl.SaslException;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.ParentNotDirectoryException;
import org.apache.hadoop.fs.PathIsNotDirectoryException;
import org.apache.hadoop.fs.PathIsNotEmptyDirectoryException;
import org.apache.hadoop.hdfs.protocol.QuotaExceededException;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.KerberosAuthException;

/** Converts errors of HDFS into failures with a sentence. Stateless; any thread. */
final class HdfsFailures {
  private final HdfsSettings settings;

  HdfsFailures(HdfsSettings settings) {
    this.settings = settings;
  }

  /** What the name node threw, as the class that it was there. */
  static IOException unwrapped(IOException failure) {
    return failure instanceof RemoteException remote ? remote.unwrapRemoteException() : failure;
  }

  BackingException of(IOException failure, String doing) {
    String what = "%s in %s failed: ".formatted(doing, settings.description());
    return new BackingException(kind(unwrapped(failure), what), failure);
  }

  private BackingFailure kind(IOException failure, String what) {
    String words = firstLine(failure);
    return switch (failure) {
      case FileAlreadyExistsException e -> new BackingFailure.Exists(what + "it is there already");
      case PathIsNotEmptyDirectoryException e ->
          new BackingFailure.NotEmpty(what + "the directory is not empty");
      case ParentNotDirectoryException e -> new BackingFailure.WrongKind(what + words);
      case PathIsNotDirectoryException e -> new BackingFailure.WrongKind(what + words);
      case FileNotFoundException e -> new BackingFailure.NotFound(what + "it is not there");
      case KerberosAuthException e -> credentials(what, words);
      case SaslException e -> credentials(what, words);
      case AccessControlException e -> byAccess(what, words);
      case AccessDeniedException e -> byAccess(what, words);
      case QuotaExceededException e ->
          new BackingFailure.NoSpace(what + words + "; make room there, or raise the quota");
      case Writer.BytesLost e -> new BackingFailure.Changed(what + words + "; it is written again");
      case UnknownHostException e -> away(what, "there is no host " + words);
      case SocketException e -> away(what, words);
      case SocketTimeoutException e -> away(what, words);
      default -> byWords(failure, what, words);
    };
  }

  private static BackingFailure byWords(IOException failure, String what, String words) {
    String type = failure.getClass().getSimpleName();
    if (type.contains("Lease") || type.contains("AlreadyBeingCreated")) {
      return new BackingFailure.Changed(what + "another process writes it");
    }
    if (words.contains("cannot authenticate") || words.contains("authentication is not enabled")) {
      return credentials(what, words);
    }
    if (words.contains("could only be written to 0") || words.contains("No space left")) {
      return new BackingFailure.NoSpace(
          what + "no data node takes it; make room there, or start more of them");
    }
    if (words.contains("Is a directory") || words.contains("is a directory")) {
      return new BackingFailure.WrongKind(what + words);
    }
    // Most other errors pass: safe mode, a standby name node, a broken pipeline.
    return away(what, words);
  }

  private BackingFailure byAccess(String what, String words) {
    if (words.contains("authentication")) return credentials(what, words);
    return new BackingFailure.NoPermission(
        what
            + "permission denied; let the user %s write there, or name another with user="
                .formatted(
                    settings.user() == null ? System.getProperty("user.name") : settings.user()));
  }

  private static BackingFailure credentials(String what, String words) {
    return new BackingFailure.WrongCredentials(
        what + words + "; get a ticket with kinit, and name Hadoop's configuration with config=");
  }

  private static BackingFailure away(String what, String words) {
    return new BackingFailure.Unavailable(what + words + "; look after HDFS");
  }

  private static String firstLine(IOException failure) {
    String words = String.valueOf(failure.getMessage());
    int end = words.indexOf('\n');
    return end < 0 ? words : words.substring(0, end);
  }
}
