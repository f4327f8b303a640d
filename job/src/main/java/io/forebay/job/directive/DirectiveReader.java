// SPDX-License-Identifier: Apache-2.0

package io.forebay.job.directive;

import io.forebay.job.directive.Directives.BufferType;
import io.forebay.job.directive.Directives.JobBuffer;
import io.forebay.job.directive.Directives.Origin;
import io.forebay.job.directive.Directives.PersistentCreation;
import io.forebay.job.directive.Directives.PersistentRemoval;
import io.forebay.job.directive.Directives.PersistentUse;
import io.forebay.job.directive.Directives.Stage;
import io.forebay.job.directive.Directives.StageKind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads what a job script asks for. The first mistake ends it, with a sentence that tells the user
 * what to write instead. Slurm puts the text of {@code --bb} and {@code --bbf} into the script
 * before a plugin sees it, so there is no other place to look at.
 */
public final class DirectiveReader {
  private static final String CAPACITY_EXAMPLE = "100GiB";
  private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");
  private static final int NAME_CHARS_MAX = 64;

  private static final String DW_COMMANDS =
      "jobdw, persistentdw, stage_in, stage_out, create_persistent or destroy_persistent";
  private static final String BB_COMMANDS = "create_persistent or destroy_persistent";

  private static final Map<String, BufferType> TYPES =
      ordered("scratch", BufferType.SCRATCH, "cache", BufferType.CACHE);
  private static final Map<String, Boolean> ANSWERS =
      ordered("yes", Boolean.TRUE, "no", Boolean.FALSE);

  private @Nullable JobBuffer jobBuffer;
  private final List<PersistentUse> uses = new ArrayList<>();
  private final List<Stage> stageIns = new ArrayList<>();
  private final List<Stage> stageOuts = new ArrayList<>();
  private final List<PersistentCreation> creations = new ArrayList<>();
  private final List<PersistentRemoval> removals = new ArrayList<>();

  private DirectiveReader() {}

  /**
   * Reads a whole script.
   *
   * @throws BadDirective for the first directive that cannot be used
   */
  public static Directives read(String script) throws BadDirective {
    DirectiveReader reader = new DirectiveReader();
    for (ScriptLines.Line line : ScriptLines.find(script)) reader.add(line);
    Directives directives =
        new Directives(
            reader.jobBuffer,
            reader.uses,
            reader.stageIns,
            reader.stageOuts,
            reader.creations,
            reader.removals);
    StageChecks.check(directives);
    return directives;
  }

  private void add(ScriptLines.Line line) throws BadDirective {
    String command = Words.commandOf(line);
    if (line.origin() == Origin.BB && !command.endsWith("_persistent")) {
      throw unknown(line, command, BB_COMMANDS);
    }
    switch (command) {
      case "jobdw" -> addJobBuffer(line);
      case "persistentdw" -> addUse(line);
      case "stage_in" -> stageIns.add(StageReader.in(line));
      case "stage_out" -> stageOuts.add(StageReader.out(line));
      case "create_persistent" -> addCreation(line);
      case "destroy_persistent" -> addRemoval(line);
      case "swap" ->
          throw new BadDirective(
              line.number(),
              "'#DW swap' is not offered: a buffer is no swap space; remove the line, and ask for"
                  + " nodes with more memory");
      default -> throw unknown(line, command, DW_COMMANDS);
    }
  }

  private static BadDirective unknown(ScriptLines.Line line, String command, String commands) {
    if (command.isEmpty()) {
      return new BadDirective(
          line.number(), "'#%s' has no command; write %s".formatted(line.origin(), commands));
    }
    return new BadDirective(
        line.number(),
        "unknown command '#%s %s'; write %s".formatted(line.origin(), command, commands));
  }

  private void addJobBuffer(ScriptLines.Line line) throws BadDirective {
    Words words =
        new Words(line, List.of("capacity", "access_mode", "type", "pool", "pfs", "max_mds"));
    if (jobBuffer != null) {
      throw words.bad(
          "a second '#DW jobdw' (the first is in line %d); a job has one buffer, so write one line"
                  .formatted(jobBuffer.line())
              + " with access_mode=striped,private for both modes");
    }
    BufferType type = words.choice("type", TYPES, BufferType.SCRATCH);
    long capacity = words.size("capacity", CAPACITY_EXAMPLE);
    String pfs = words.optional("pfs");
    if (type == BufferType.CACHE && pfs == null) {
      throw words.bad("type=cache has no pfs; write pfs=/PATH, the directory that it caches");
    }
    if (type == BufferType.SCRATCH && pfs != null) {
      throw words.bad("pfs=%s is for type=cache; write type=cache or remove it".formatted(pfs));
    }
    if (pfs != null) requireWholePath(words, "pfs", pfs);
    words.choice("max_mds", ANSWERS, Boolean.FALSE);
    String access = words.optional("access_mode");
    List<AccessMode> modes = new AccessModes(words, type).read(access == null ? "striped" : access);
    jobBuffer = new JobBuffer(line.number(), capacity, modes, type, words.optional("pool"), pfs);
  }

  private void addUse(ScriptLines.Line line) throws BadDirective {
    Words words = new Words(line, List.of("name"));
    String name = words.required("name", "mydata");
    if (uses.stream().anyMatch(use -> use.name().equals(name))) {
      throw words.bad("name=%s is used twice; remove one of the lines".formatted(name));
    }
    uses.add(new PersistentUse(line.number(), name));
  }

  private void addCreation(ScriptLines.Line line) throws BadDirective {
    Words words =
        new Words(line, List.of("name", "capacity", "access_mode", "access", "type", "pool"));
    String name = words.required("name", "mydata");
    if (!NAME.matcher(name).matches() || name.length() > NAME_CHARS_MAX) {
      throw words.bad(
          "name=%s cannot be part of a variable's name; use at most %d letters, digits and '_', and"
                  .formatted(name, NAME_CHARS_MAX)
              + " do not begin with a digit");
    }
    if (words.has("access") && words.has("access_mode")) {
      throw words.bad("access and access_mode are the same; write one of them");
    }
    if (words.choice("type", TYPES, BufferType.SCRATCH) == BufferType.CACHE) {
      throw words.bad("a persistent buffer cannot be a cache; write type=scratch");
    }
    String access = words.optional(words.has("access") ? "access" : "access_mode");
    List<AccessMode> modes =
        new AccessModes(words, BufferType.SCRATCH).read(access == null ? "striped" : access);
    if (modes.size() > 1) {
      throw words.bad(
          "a persistent buffer has one access mode, not '%s'; write access=striped or access=private"
              .formatted(access));
    }
    long capacity = words.size("capacity", CAPACITY_EXAMPLE);
    creations.add(
        new PersistentCreation(
            line.number(), line.origin(), name, capacity, modes, words.optional("pool")));
  }

  private void addRemoval(ScriptLines.Line line) throws BadDirective {
    Words words = new Words(line, List.of("name", "hurry!"));
    String name = words.required("name", "mydata");
    removals.add(new PersistentRemoval(line.number(), line.origin(), name, words.has("hurry")));
  }

  /** A path outside of buffers. */
  static void requireWholePath(Words words, String key, String path) throws BadDirective {
    if (path.startsWith("$") || path.startsWith("~")) {
      throw words.bad(
          "%s=%s has a variable, which nothing replaces in a directive; write the whole path"
              .formatted(key, path));
    }
    if (!path.startsWith("/")) {
      throw words.bad(
          "%s=%s is not a whole path; write one that begins with '/'".formatted(key, path));
    }
  }

  /** In the order that messages list them. */
  private static <T> Map<String, T> ordered(String first, T one, String second, T two) {
    Map<String, T> map = new LinkedHashMap<>();
    map.put(first, one);
    map.put(second, two);
    return map;
  }

  /** The kinds of a stage by their names. */
  static Map<String, StageKind> stageKinds() {
    Map<String, StageKind> kinds =
        ordered("file", StageKind.FILE, "directory", StageKind.DIRECTORY);
    kinds.put("list", StageKind.LIST);
    return kinds;
  }
}
