// SPDX-License-Identifier: Apache-2.0

package io.forebay.job.library;

import io.forebay.client.stage.StagedPath.Kind;
import java.util.List;

/** The arguments of a call, read one after another. */
final class LibraryArguments {
  private final List<String> texts;
  private int read;

  LibraryArguments(List<String> texts) {
    this.texts = texts;
  }

  String next() throws CallFailed {
    if (read == texts.size()) throw new CallFailed(ErrorNumbers.EINVAL, "an argument is missing");
    return texts.get(read++);
  }

  Kind kind() throws CallFailed {
    String word = next();
    return switch (word) {
      case "file" -> Kind.FILE;
      case "directory" -> Kind.DIRECTORY;
      case "list" -> Kind.LISTED;
      default -> throw new CallFailed(ErrorNumbers.EINVAL, "a kind '" + word + "'");
    };
  }

  int number() throws CallFailed {
    String word = next();
    try {
      return Integer.parseInt(word);
    } catch (NumberFormatException e) {
      throw new CallFailed(ErrorNumbers.EINVAL, "'" + word + "' is no number");
    }
  }

  /** All that have not been read. */
  List<String> rest() {
    List<String> rest = texts.subList(read, texts.size());
    read = texts.size();
    return rest;
  }
}
