// SPDX-License-Identifier: Apache-2.0

package io.forebay.job.directive;

import io.forebay.job.directive.Directives.Stage;
import io.forebay.job.directive.Directives.StageKind;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads {@code stage_in} and {@code stage_out}: one end is in a buffer, the other is not. */
final class StageReader {
  private static final List<String> KEYS = List.of("type", "source", "destination");
  private static final String PFS_EXAMPLE = "/scratch/input";
  private static final String BUFFER_EXAMPLE = "$DW_JOB_STRIPED/input";

  private StageReader() {}

  static Stage in(ScriptLines.Line line) throws BadDirective {
    Words words = new Words(line, KEYS);
    StageKind kind = words.choice("type", DirectiveReader.stageKinds(), null);
    String source = words.required("source", PFS_EXAMPLE);
    if (kind == StageKind.LIST) return list(words, source);
    String destination = words.required("destination", BUFFER_EXAMPLE);
    if (isBuffer(source)) {
      throw words.bad(
          "stage_in copies into a buffer, and source=%s is in one; exchange source and destination,"
                  .formatted(source)
              + " or write stage_out");
    }
    DirectiveReader.requireWholePath(words, "source", source);
    return new Stage(
        words.line(), kind, source, bufferPath(words, kind, "destination", destination));
  }

  static Stage out(ScriptLines.Line line) throws BadDirective {
    Words words = new Words(line, KEYS);
    StageKind kind = words.choice("type", DirectiveReader.stageKinds(), null);
    String source = words.required("source", BUFFER_EXAMPLE);
    if (kind == StageKind.LIST) return list(words, source);
    String destination = words.required("destination", PFS_EXAMPLE);
    if (isBuffer(destination)) {
      throw words.bad(
          "stage_out copies out of a buffer, and destination=%s is in one; exchange source and"
                  .formatted(destination)
              + " destination, or write stage_in");
    }
    DirectiveReader.requireWholePath(words, "destination", destination);
    return new Stage(words.line(), kind, destination, bufferPath(words, kind, "source", source));
  }

  private static Stage list(Words words, String source) throws BadDirective {
    if (words.has("destination")) {
      throw words.bad(
          "type=list has no destination: each line of the list names one; remove destination");
    }
    if (isBuffer(source)) {
      throw words.bad(
          "source=%s is in a buffer; write the list outside of it, such as source=/scratch/list"
              .formatted(source));
    }
    DirectiveReader.requireWholePath(words, "source", source);
    return new Stage(words.line(), StageKind.LIST, source, null);
  }

  private static boolean isBuffer(String text) {
    return text.startsWith("$DW_") || text.startsWith("${DW_");
  }

  private static BufferPath bufferPath(Words words, StageKind kind, String key, String text)
      throws BadDirective {
    BufferPath path = parsed(words, key, text);
    if (path == null) {
      throw words.bad(
          "%s=%s is not in a buffer; begin it with $DW_JOB_STRIPED/, $DW_JOB_PRIVATE/ or"
                  .formatted(key, text)
              + " $DW_PERSISTENT_STRIPED_NAME/");
    }
    if (kind == StageKind.FILE && (path.path().equals("/") || text.endsWith("/"))) {
      throw words.bad(
          "%s=%s names a directory, and type=file needs a file; write its name behind it, or"
                  .formatted(key, text)
              + " type=directory");
    }
    return path;
  }

  private static @Nullable BufferPath parsed(Words words, String key, String text)
      throws BadDirective {
    try {
      return BufferPath.parse(text);
    } catch (IllegalArgumentException e) {
      throw words.bad(
          "%s=%s %s; write a path below the variable, such as %s"
              .formatted(key, text, e.getMessage(), BUFFER_EXAMPLE));
    }
  }
}
