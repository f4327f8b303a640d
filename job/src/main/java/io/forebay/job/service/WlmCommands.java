// SPDX-License-Identifier: Apache-2.0

package io.forebay.job.service;

import io.forebay.base.ByteSize;
import io.forebay.job.datawarp.PathVariables;
import io.forebay.job.datawarp.WlmDocuments;
import io.forebay.job.directive.AccessMode;
import io.forebay.job.directive.BufferPath;
import io.forebay.job.directive.Directives;
import io.forebay.job.directive.Directives.Origin;
import io.forebay.job.directive.Directives.PersistentCreation;
import io.forebay.job.directive.Directives.PersistentRemoval;
import io.forebay.job.directive.Directives.Stage;
import io.forebay.job.service.Arguments.Misused;
import io.forebay.job.service.JobService.Direction;
import io.forebay.job.service.JobService.StageProgress;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * {@code dw_wlm_cli}: the functions that Slurm's DataWarp plugin calls, and two more for its Lua
 * plugin, which asks whether a stage still goes on. The answer of a function that succeeds is
 * exactly what Slurm reads; that of one that fails is a sentence for the user.
 *
 * <p>A job's life: {@code job_process} at submission; {@code setup}, {@code data_in}, {@code
 * real_size} while it is queued; {@code paths}, {@code pre_run} before it runs, which also stages
 * into the private trees of its nodes; {@code post_run}, {@code data_out}, {@code teardown} behind
 * it. Slurm repeats what it does not know to be done.
 */
public final class WlmCommands implements Command {
  /** How long one look at stages takes; behind each the caller may turn out to be gone. */
  private static final Duration LOOK = Duration.ofSeconds(1);

  /** Functions that any user may call: they change nothing and read no file. */
  private static final Set<String> OPEN =
      Set.of("pools", "show_instances", "show_sessions", "show_configurations", "real_size");

  /** Functions for which Slurm waits with its locks held, or which it repeats anyway. */
  private static final Set<String> QUICK =
      Set.of(
          "pools",
          "show_instances",
          "show_sessions",
          "show_configurations",
          "real_size",
          "job_process",
          "paths",
          "test_data_in",
          "test_data_out");

  /** Functions that take as long as copies take. */
  private static final Set<String> STAGING = Set.of("data_in", "data_out");

  /** The text by which Slurm knows that a repeated call has nothing left to do. */
  private static final String NOT_FOUND = "token not found\n";

  private static final String BUSY = "BUSY\n";

  private final JobService service;
  private final TokenTurns turns = new TokenTurns();

  public WlmCommands(JobService service) {
    this.service = service;
  }

  @Override
  public Answer run(Call call) {
    try {
      Arguments arguments = new Arguments(call.arguments());
      String function = arguments.get("--function");
      if (!OPEN.contains(function) && !call.caller().operator()) {
        return Answer.failed(
            "only root and the users that the agent's setting 'operators' names may call function"
                + " '%s'; user %d is none of them".formatted(function, call.caller().user()));
      }
      if (QUICK.contains(function)) return run(function, arguments, call.presence());
      Duration patience = STAGING.contains(function) ? Patience.LONG : Patience.SHORT;
      return Patience.with(
          patience, call.presence(), () -> run(function, arguments, call.presence()));
    } catch (Misused e) {
      return Answer.misused(String.valueOf(e.getMessage()));
    } catch (JobFailed e) {
      return Answer.failed(e.sentence());
    }
  }

  private Answer run(String function, Arguments arguments, Presence presence)
      throws Misused, JobFailed {
    return switch (function) {
      case "pools" -> Answer.of(WlmDocuments.pools(service.registry()));
      case "show_instances" -> Answer.of(WlmDocuments.instances(service.registry()));
      case "show_sessions" -> Answer.of(WlmDocuments.sessions(service.registry()));
      case "show_configurations" -> Answer.of(WlmDocuments.configurations(service.registry()));
      case "job_process" -> check(arguments);
      case "setup" -> setUp(arguments, presence);
      case "data_in" -> stage(arguments, Direction.IN, presence);
      case "data_out" -> stage(arguments, Direction.OUT, presence);
      case "start_data_in" -> startStages(arguments, Direction.IN);
      case "start_data_out" -> startStages(arguments, Direction.OUT);
      case "test_data_in" -> testStages(arguments, Direction.IN);
      case "test_data_out" -> testStages(arguments, Direction.OUT);
      case "real_size" -> realSize(arguments);
      case "paths" -> paths(arguments);
      case "pre_run" -> preRun(arguments, presence);
      case "post_run" -> postRun(arguments);
      case "teardown" -> turns.take(token(arguments), () -> tearDown(arguments));
      case "create_persistent" -> createPersistent(arguments);
      default ->
          // Slurm takes these words for "this version does not have it".
          Answer.failed("invalid function '%s'; see docs/slurm.md".formatted(function));
    };
  }

  private Answer check(Arguments arguments) throws Misused, JobFailed {
    Directives directives = JobFiles.directives(arguments.get("--job"));
    PoolChecks.check(directives, service.registry().pools());
    return Answer.DONE;
  }

  private Answer setUp(Arguments arguments, Presence presence) throws Misused, JobFailed {
    Directives directives = JobFiles.directives(arguments.get("--job"));
    String token = token(arguments);
    return turns.take(
        token,
        () ->
            presence.isWaiting()
                ? setUp(arguments, directives)
                // Slurm has cancelled the job, and may have ended it already.
                : Answer.failed(
                    "the caller of token %s is gone; it is not set up".formatted(token)));
  }

  private Answer setUp(Arguments arguments, Directives directives) throws Misused, JobFailed {
    long user = arguments.number("--user");
    String pool = poolOf(arguments.optional("--capacity"));
    for (PersistentRemoval removal : directives.removals()) {
      // Slurm's DataWarp plugin calls 'teardown' for a line with #BB.
      if (removal.origin() == Origin.BB) continue;
      service.destroyPersistent(removal.name(), OptionalLong.of(user), removal.hurry());
    }
    for (PersistentCreation creation : directives.creations()) {
      // And 'create_persistent'.
      if (creation.origin() == Origin.BB) continue;
      service.createPersistent(
          new JobService.Persistent(
              creation.name(),
              user,
              creation.capacityBytes(),
              creation.access(),
              creation.pool() == null ? pool : creation.pool()));
    }
    if (!hasBuffers(directives)) return Answer.DONE;
    service.begin(
        new JobService.NewJob(
            token(arguments),
            orElse(arguments.optional("--caller"), "CLI"),
            user,
            arguments.number("--groupid"),
            directives,
            pool,
            nodes(arguments)));
    return Answer.DONE;
  }

  /** Whether there is a job for the cluster; one that only creates persistent buffers is none. */
  private static boolean hasBuffers(Directives directives) {
    return directives.jobBuffer() != null || !directives.uses().isEmpty();
  }

  /** The pool of a text {@code POOL:SIZE}; Slurm writes {@code (null)} if it has no default. */
  private static @Nullable String poolOf(@Nullable String capacity) {
    if (capacity == null) return null;
    int colon = capacity.lastIndexOf(':');
    String pool = colon < 0 ? "" : capacity.substring(0, colon);
    return pool.isEmpty() || pool.equals("(null)") ? null : pool;
  }

  private Answer stage(Arguments arguments, Direction direction, Presence presence)
      throws Misused, JobFailed {
    String token = token(arguments);
    Directives directives = JobFiles.directives(arguments.get("--job"));
    if (isIdle(directives, direction)) return Answer.DONE;
    Answer refusal = start(token, direction, stages(directives, direction));
    if (refusal != null) return refusal;
    while (presence.isWaiting()) {
      Answer answer = answer(service.awaitStages(token, direction, LOOK));
      if (answer != null) return answer;
    }
    return gone(token);
  }

  private static Answer gone(String token) {
    return Answer.failed("the caller of token %s is gone; its stages go on".formatted(token));
  }

  /** Null if they have been started. */
  private @Nullable Answer start(String token, Direction direction, List<Stage> stages)
      throws JobFailed {
    if (service.startStages(token, direction, stages)) return null;
    // A job without its input must not run; one that has ended has been staged out before.
    if (direction == Direction.OUT) return Answer.of(NOT_FOUND);
    throw new JobFailed(
        "job %s has no buffer to stage into; submit the job again".formatted(token));
  }

  private Answer startStages(Arguments arguments, Direction direction) throws Misused, JobFailed {
    Directives directives = JobFiles.directives(arguments.get("--job"));
    if (isIdle(directives, direction)) return Answer.DONE;
    Answer refusal = start(token(arguments), direction, stages(directives, direction));
    return refusal == null ? Answer.DONE : refusal;
  }

  private Answer testStages(Arguments arguments, Direction direction) throws Misused, JobFailed {
    if (isIdle(JobFiles.directives(arguments.get("--job")), direction)) return Answer.DONE;
    Answer answer = answer(service.lookAtStages(token(arguments), direction));
    return answer == null ? Answer.of(BUSY) : answer;
  }

  private static List<Stage> stages(Directives directives, Direction direction) {
    return direction == Direction.IN ? directives.stageIns() : directives.stageOuts();
  }

  /** Whether nothing is copied that way. What a cache took is written to its directory. */
  private static boolean isIdle(Directives directives, Direction direction) {
    Directives.JobBuffer own = directives.jobBuffer();
    boolean cache = own != null && own.type() == Directives.BufferType.CACHE;
    return stages(directives, direction).isEmpty() && !(cache && direction == Direction.OUT);
  }

  /** Null as long as stages go on. */
  private static @Nullable Answer answer(StageProgress progress) {
    return switch (progress) {
      case StageProgress.Complete() -> Answer.DONE;
      case StageProgress.Running() -> null;
      case StageProgress.Failed(String sentence) -> Answer.failed(sentence);
    };
  }

  private Answer realSize(Arguments arguments) throws Misused, JobFailed {
    OptionalLong bytes = service.capacityBytes(token(arguments));
    return bytes.isPresent() ? Answer.of(WlmDocuments.realSize(bytes.getAsLong())) : Answer.DONE;
  }

  private Answer paths(Arguments arguments) throws Misused, JobFailed {
    // The program writes the file: the agent may do more than its caller.
    arguments.get("--pathfile");
    Directives directives = JobFiles.directives(arguments.get("--job"));
    List<PathVariables.Mount> mounts =
        hasBuffers(directives) ? service.mounts(token(arguments)) : List.of();
    Directives.JobBuffer own = directives.jobBuffer();
    boolean balanced = own != null && own.has(AccessMode.Kind.LDBALANCE);
    return Answer.of(PathVariables.lines(balanced ? balanced(mounts) : mounts));
  }

  /** A cache is the same however nodes reach it; only its variable differs. */
  private static List<PathVariables.Mount> balanced(List<PathVariables.Mount> mounts) {
    return mounts.stream()
        .map(
            mount ->
                mount.root() == BufferPath.Root.JOB_STRIPED_CACHE
                    ? new PathVariables.Mount(
                        BufferPath.Root.JOB_LDBAL_CACHE, mount.persistent(), mount.directory())
                    : mount)
        .toList();
  }

  /** Names the nodes. Only now can their private trees be staged into. */
  private Answer preRun(Arguments arguments, Presence presence) throws Misused, JobFailed {
    Directives directives = JobFiles.directives(arguments.get("--job"));
    if (!hasBuffers(directives)) return Answer.DONE;
    List<String> nodes = nodes(arguments);
    if (nodes.isEmpty()) {
      throw new Misused("pre_run needs the nodes of the job; give --nodehostnamefile or --nodes");
    }
    String token = token(arguments);
    service.attach(token, nodes);
    if (!mayStagePrivate(directives)) return Answer.DONE;
    Answer answer = answer(service.stageNodes(token, directives.stageIns(), nodes, presence));
    return answer == null ? gone(token) : answer;
  }

  /** Whether stages may be for private trees; what lists name is not known here. */
  private static boolean mayStagePrivate(Directives directives) {
    Directives.JobBuffer own = directives.jobBuffer();
    if (own == null || !own.has(AccessMode.Kind.PRIVATE)) return false;
    for (Stage stage : directives.stageIns()) {
      BufferPath buffer = stage.buffer();
      if (buffer == null || buffer.root() == BufferPath.Root.JOB_PRIVATE) return true;
    }
    return false;
  }

  private Answer postRun(Arguments arguments) throws Misused, JobFailed {
    if (hasBuffers(JobFiles.directives(arguments.get("--job")))) {
      service.detach(token(arguments));
    }
    return Answer.DONE;
  }

  /** The names in a file, or with commas between them. */
  private static List<String> nodes(Arguments arguments) throws JobFailed {
    String file = arguments.optional("--nodehostnamefile");
    if (file != null) return JobFiles.nodes(file);
    String names = arguments.optional("--nodes");
    return names == null || names.isEmpty() ? List.of() : List.of(names.split(",", -1));
  }

  /**
   * A token of digits is a job, any other a persistent buffer; Slurm refuses names with digits
   * first.
   */
  private Answer tearDown(Arguments arguments) throws Misused, JobFailed {
    String token = token(arguments);
    boolean found =
        isJob(token)
            ? service.end(token, arguments.isHurry())
            : service.destroyPersistent(token, OptionalLong.empty(), arguments.isHurry());
    // Done all the same: it is a repetition, or a job that never began.
    return found ? Answer.DONE : Answer.of(NOT_FOUND);
  }

  private static boolean isJob(String token) {
    return !token.isEmpty() && token.chars().allMatch(c -> c >= '0' && c <= '9');
  }

  private Answer createPersistent(Arguments arguments) throws Misused, JobFailed {
    String type = orElse(arguments.optional("--type"), "scratch");
    if (!type.equals("scratch")) {
      throw new JobFailed("type %s is not offered; write type=scratch".formatted(type));
    }
    String capacity = arguments.get("--capacity");
    String size = capacity.substring(capacity.lastIndexOf(':') + 1);
    long bytes;
    try {
      bytes = ByteSize.parse(size).bytes();
    } catch (IllegalArgumentException e) {
      throw new Misused("--capacity " + capacity + " is not POOL:SIZE");
    }
    service.createPersistent(
        new JobService.Persistent(
            token(arguments),
            arguments.number("--user"),
            bytes,
            access(orElse(arguments.optional("--access"), "striped")),
            poolOf(capacity)));
    return Answer.of("created\n");
  }

  private static List<AccessMode> access(String text) throws JobFailed {
    return switch (text.toLowerCase(Locale.ROOT)) {
      case "striped" -> List.of(AccessMode.of(AccessMode.Kind.STRIPED));
      case "private" -> List.of(AccessMode.of(AccessMode.Kind.PRIVATE));
      default ->
          throw new JobFailed(
              "a persistent buffer cannot have access '%s'; write access=striped or access=private"
                  .formatted(text));
    };
  }

  private static String token(Arguments arguments) throws Misused {
    return arguments.get("--token");
  }

  private static String orElse(@Nullable String value, String otherwise) {
    return value == null ? otherwise : value;
  }
}
