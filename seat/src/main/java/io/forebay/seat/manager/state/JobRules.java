// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.manager.state;

import io.forebay.base.proof.JobCredential;
import io.forebay.ring.Instance;
import io.forebay.ring.RingMap;
import io.forebay.ring.Tenancy;
import io.forebay.wire.Limit;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Identity;
import io.forebay.wire.message.Jobs;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Which jobs can be begun, changed and ended. Pure. */
public final class JobRules {
  /** The names of jobs' own instances begin so, and no others. */
  public static final String INSTANCE_PREFIX = "job-";

  static final int TOKEN_CHARS_MAX = 64;
  static final int JOBS_MAX = Math.toIntExact(Limit.JOBS.value());
  static final int CREATOR_CHARS_MAX = 256;
  static final int USES_MAX = 64;
  static final int STAGES_MAX = 64;
  static final int NODES_MAX = 8192;
  static final int NODE_CHARS_MAX = 255;

  static final int DIRECTORY_CHARS_MAX = 1024;

  /** All texts of a job together: a command is one record of the manager's log. */
  static final int JOB_CHARS_MAX = 64 * 1024;

  /** All texts of all jobs together. */
  static final long BOOK_CHARS_MAX = 4L * 1024 * 1024;

  private static final Pattern TOKEN = Pattern.compile("[A-Za-z0-9._-]{1," + TOKEN_CHARS_MAX + "}");
  private static final Pattern DIRECTORY = Pattern.compile("(/[A-Za-z0-9._-]+)+");
  private static final Pattern NODE =
      Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0," + (NODE_CHARS_MAX - 1) + "}");

  private JobRules() {}

  /** The name of a job's own instance. */
  public static String instanceOf(String token) {
    return INSTANCE_PREFIX + token;
  }

  /** Whether nodes may mount below it, or below none if it is empty. */
  private static boolean isDirectory(String text) {
    boolean plain = text.length() <= DIRECTORY_CHARS_MAX && DIRECTORY.matcher(text).matches();
    return text.isEmpty() || (plain && !text.contains("/./") && !(text + "/").contains("/../"));
  }

  /** Whether a text can be the name of a node. */
  public static boolean isNode(String text) {
    return NODE.matcher(text).matches();
  }

  /** Whether a text can be a token; sentences about other texts need not name a job. */
  static boolean isToken(String text) {
    return TOKEN.matcher(text).matches();
  }

  /** Why a job cannot be begun, or null. Which jobs there are is checked by the book. */
  static Result.@Nullable Refused check(Command.BeginJob begin, RingMap map) {
    Jobs.Job job = begin.job();
    if (!isToken(job.token())) {
      return invalid(
          "'%s' is no token of a job: use 1 to %d letters, digits, dots, dashes and underscores"
              .formatted(job.token(), TOKEN_CHARS_MAX));
    }
    if (begin.caller() != Identity.ROOT && begin.caller() != job.user()) {
      return notPermitted(
          "user %d cannot begin a job of user %d; only that user and root may"
              .formatted(begin.caller(), job.user()));
    }
    int secretBytes = begin.credential().length();
    if (secretBytes != 0 && secretBytes != JobCredential.BYTES) {
      return invalid("job '%s' has a credential of %d bytes".formatted(job.token(), secretBytes));
    }
    Result.Refused oversized = checkSizes(job);
    if (oversized != null) return oversized;
    for (String name : job.uses()) {
      Result.Refused unusable = checkUse(name, job, map);
      if (unusable != null) return unusable;
    }
    return checkInstance(begin.instance(), job);
  }

  private static Result.@Nullable Refused checkSizes(Jobs.Job job) {
    if (job.creator().length() > CREATOR_CHARS_MAX) {
      return invalid(
          "a creator of %d characters; at most %d"
              .formatted(job.creator().length(), CREATOR_CHARS_MAX));
    }
    if (job.createdSeconds() < 0) return invalid("created at " + job.createdSeconds());
    if (!isDirectory(job.directory())) {
      return invalid(
          "'%s' is no directory for the mounts of job '%s': use a whole path of at most %d letters, digits, dots, dashes, underscores and slashes"
              .formatted(job.directory(), job.token(), DIRECTORY_CHARS_MAX));
    }
    if (job.uses().size() > USES_MAX) {
      return invalid(
          "job '%s' uses %d instances; at most %d"
              .formatted(job.token(), job.uses().size(), USES_MAX));
    }
    if (job.stages().size() > STAGES_MAX) {
      return invalid(
          "job '%s' has %d stages; at most %d: stage a directory or a list"
              .formatted(job.token(), job.stages().size(), STAGES_MAX));
    }
    for (Jobs.Stage stage : job.stages()) {
      boolean list = stage.kind() == Jobs.Kind.LIST;
      if (stage.source().isEmpty() || stage.destination().isEmpty() != list) {
        return invalid(
            "a stage of job '%s' lacks its source or destination".formatted(job.token()));
      }
    }
    if (chars(job) <= JOB_CHARS_MAX) return null;
    return invalid(
        "job '%s' has %d characters of names and paths; at most %d"
            .formatted(job.token(), chars(job), JOB_CHARS_MAX));
  }

  private static Result.@Nullable Refused checkUse(String name, Jobs.Job job, RingMap map) {
    Instance used = map.instance(name);
    if (used == null || used.lifetime() == Instance.Lifetime.JOB) {
      return new Result.Refused(
          ErrorCode.NOT_FOUND,
          "job '%s' uses instance '%s', and there is no persistent instance of that name; 'forebay instance list' shows them"
              .formatted(job.token(), name));
    }
    if (used.drain().ending()) {
      return new Result.Refused(
          ErrorCode.NOT_FOUND,
          "job '%s' uses instance '%s', which is ending".formatted(job.token(), name));
    }
    if (used.admits(job.user(), List.of(job.group()))) return null;
    return notPermitted(
        "job '%s' uses instance '%s', which does not admit user %d; its owner, user %d, decides that"
            .formatted(job.token(), name, job.user(), used.owner()));
  }

  private static Result.@Nullable Refused checkInstance(
      List<Command.CreateInstance> instance, Jobs.Job job) {
    if (instance.size() > 1) return invalid("job '" + job.token() + "' asks for two instances");
    if (instance.isEmpty()) {
      if (job.stages().isEmpty()) return null;
      return invalid(
          "job '%s' has stages, but no instance of its own; give it a capacity"
              .formatted(job.token()));
    }
    Command.CreateInstance create = instance.getFirst();
    boolean own =
        create.lifetime() == Instance.Lifetime.JOB
            && create.name().equals(instanceOf(job.token()))
            && create.owner() == job.user()
            && create.group() == job.group()
            && create.tenancy().equals(Tenancy.OWN);
    if (!own) {
      return invalid(
          "the instance of job '%s' is '%s', of lifetime job, of its user and for its user only"
              .formatted(job.token(), instanceOf(job.token())));
    }
    if (create.access() == Instance.Access.PRIVATE && !job.stages().isEmpty()) {
      return invalid(
          "job '%s' stages files, but each tree of its private instance belongs to a node; ask for shared access, or for both"
              .formatted(job.token()));
    }
    return null;
  }

  /** Why a job of another request stands in the way of this one, or null if it is the same. */
  static Result.@Nullable Refused conflict(Jobs.Job known, Jobs.Job asked) {
    if (known.user() != asked.user()) {
      return new Result.Refused(
          ErrorCode.EXISTS,
          "there is a job '%s' of user %d already".formatted(known.token(), known.user()));
    }
    if (known.phase() == Jobs.Phase.ENDING) {
      return new Result.Refused(
          ErrorCode.EXISTS,
          "job '%s' is ending; its token can be used again when its instance is gone"
              .formatted(known.token()));
    }
    if (known.request() == asked.request()) return null;
    return new Result.Refused(
        ErrorCode.EXISTS,
        "job '%s' was begun with another request; end it with 'forebay job end %s', or use another token"
            .formatted(known.token(), known.token()));
  }

  /** Why the book takes no other job, or null. */
  static Result.@Nullable Refused checkRoom(Collection<Jobs.Job> book, Jobs.Job next) {
    long chars = chars(next);
    for (Jobs.Job job : book) chars += chars(job);
    if (book.size() < JOBS_MAX && chars <= BOOK_CHARS_MAX) return null;
    return new Result.Refused(
        ErrorCode.NO_SPACE,
        "the manager has no room for another job beside %d; end some".formatted(book.size()));
  }

  /** Whether a user has as many jobs as it may begin; root has no limit. */
  static boolean isShareUsedUp(Collection<Jobs.Job> book, int caller) {
    if (caller == Identity.ROOT) return false;
    long own = book.stream().filter(job -> job.user() == caller).count();
    return own >= Limit.JOBS_PER_USER.value();
  }

  /** Why a user begins no other job, or null. */
  static Result.@Nullable Refused checkShare(Collection<Jobs.Job> book, int caller) {
    if (!isShareUsedUp(book, caller)) return null;
    return new Result.Refused(
        ErrorCode.NO_SPACE,
        "user %s has as many jobs as one user may begin; end some"
            .formatted(Integer.toUnsignedString(caller)));
  }

  /** Why a job cannot run on these nodes, or null. */
  static Result.@Nullable Refused checkNodes(Jobs.Job job, List<String> nodes) {
    if (job.phase() == Jobs.Phase.ENDING && !nodes.isEmpty()) {
      return invalid("job '%s' is ending; it runs nowhere any more".formatted(job.token()));
    }
    if (nodes.size() > NODES_MAX) {
      return invalid(
          "job '%s' on %d nodes; at most %d".formatted(job.token(), nodes.size(), NODES_MAX));
    }
    for (String node : nodes) {
      if (!isNode(node)) return noNode(node);
    }
    if (new HashSet<>(nodes).size() < nodes.size()) {
      return invalid("job '%s' has a node twice".formatted(job.token()));
    }
    if (chars(job.inPhase(job.phase(), nodes)) <= 2 * JOB_CHARS_MAX) return null;
    return invalid("the names of the nodes of job '%s' are too long".formatted(job.token()));
  }

  /** The answer about a text that cannot be the name of a node. */
  public static Result.Refused noNode(String text) {
    return invalid(
        "'%s' is no name of a node: use 1 to %d letters, digits, dots, dashes and underscores, a letter or digit first"
            .formatted(text, NODE_CHARS_MAX));
  }

  static Result.Refused unknown(String token) {
    return new Result.Refused(
        ErrorCode.NOT_FOUND,
        "there is no job '%s': it has ended, or was never begun; 'forebay job list' shows them"
            .formatted(token));
  }

  /** Why that user may not change a job, or null. */
  static Result.@Nullable Refused checkUser(Jobs.Job job, int caller, String what) {
    if (caller == Identity.ROOT || caller == job.user()) return null;
    return notPermitted(
        "job '%s' belongs to user %d; only that user and root may %s it"
            .formatted(job.token(), job.user(), what));
  }

  static long chars(Jobs.Job job) {
    long chars = (long) job.token().length() + job.creator().length() + job.directory().length();
    for (String name : job.uses()) chars += name.length();
    for (String node : job.nodes()) chars += node.length();
    for (Jobs.Stage stage : job.stages()) {
      chars += stage.source().length() + stage.destination().length();
    }
    return chars;
  }

  private static Result.Refused invalid(String sentence) {
    return new Result.Refused(ErrorCode.INVALID, sentence);
  }

  private static Result.Refused notPermitted(String sentence) {
    return new Result.Refused(ErrorCode.NOT_PERMITTED, sentence);
  }
}
