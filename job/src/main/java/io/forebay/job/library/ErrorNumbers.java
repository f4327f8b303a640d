// SPDX-License-Identifier: Apache-2.0

package io.forebay.job.library;

import io.forebay.client.failure.Failures;
import io.forebay.wire.message.ErrorCode;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;

/** The error numbers of Linux that programs get, and what they stand for here. */
final class ErrorNumbers {
  static final int EPERM = 1;
  static final int ENOENT = 2;
  static final int EIO = 5;
  static final int EACCES = 13;
  static final int EBUSY = 16;
  static final int EEXIST = 17;
  static final int EXDEV = 18;
  static final int ENODEV = 19;
  static final int ENOTDIR = 20;
  static final int EISDIR = 21;
  static final int EINVAL = 22;
  static final int EMFILE = 24;
  static final int EFBIG = 27;
  static final int ENOSPC = 28;
  static final int EROFS = 30;
  static final int ENAMETOOLONG = 36;
  static final int ENOTEMPTY = 39;
  static final int ELOOP = 40;
  static final int EOPNOTSUPP = 95;
  static final int EHOSTUNREACH = 113;
  static final int EINPROGRESS = 115;
  static final int EDQUOT = 122;
  static final int ECANCELED = 125;

  /** Words of the servers' sentences about files; the first that a sentence contains decides. */
  private static final Map<String, Integer> SENTENCES = sentences();

  private ErrorNumbers() {}

  private static Map<String, Integer> sentences() {
    Map<String, Integer> words = new LinkedHashMap<>();
    words.put("outside of what server", EPERM);
    words.put("may stage nothing", EPERM);
    words.put("no room is left", ENOSPC);
    words.put("has no room for", ENOSPC);
    words.put("quota is used up", EDQUOT);
    words.put("read-only", EROFS);
    words.put("is not accessible", EACCES);
    words.put("is not a directory", ENOTDIR);
    words.put("is a directory", EISDIR);
    words.put("symbolic link, which is not followed", ELOOP);
    words.put("exists already", EEXIST);
    words.put("does not exist", ENOENT);
    words.put("it was changed each time", EBUSY);
    return words;
  }

  /** Why a server could not stage a file, by the sentence that it wrote. */
  static int ofSentence(String sentence) {
    for (Map.Entry<String, Integer> word : SENTENCES.entrySet()) {
      if (sentence.contains(word.getKey())) return word.getValue();
    }
    return EIO;
  }

  /** Why the cluster refused a request, or gave no answer. */
  static int of(IOException failure) {
    return of(Failures.codeOf(failure));
  }

  static int of(ErrorCode code) {
    return switch (code) {
      case NOT_FOUND -> ENOENT;
      case EXISTS -> EEXIST;
      case NOT_A_DIRECTORY -> ENOTDIR;
      case IS_A_DIRECTORY -> EISDIR;
      case NOT_EMPTY -> ENOTEMPTY;
      case ACCESS_DENIED, REFUSED -> EACCES;
      case NOT_PERMITTED -> EPERM;
      case NAME_TOO_LONG -> ENAMETOOLONG;
      case TOO_MANY_SYMLINKS -> ELOOP;
      case NO_SPACE -> ENOSPC;
      case TOO_LARGE -> EFBIG;
      case INVALID -> EINVAL;
      case READ_ONLY -> EROFS;
      case TOO_MANY_FILES -> EMFILE;
      case UNKNOWN_INSTANCE -> ENODEV;
      case UNAVAILABLE, BUSY -> EHOSTUNREACH;
      default -> EIO;
    };
  }
}
