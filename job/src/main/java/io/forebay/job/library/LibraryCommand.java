// SPDX-License-Identifier: Apache-2.0

package io.forebay.job.library;

import io.forebay.base.Json;
import io.forebay.client.Cluster;
import io.forebay.client.ForebayOptions;
import io.forebay.client.stage.StagedPath.Kind;
import io.forebay.client.use.InstanceUsage;
import io.forebay.client.use.StagedBytes;
import io.forebay.client.use.UsageJson;
import io.forebay.job.service.Command;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@code libdatawarp}: the calls of the library in C, as the calling user. The first argument is
 * the call, the second the kind of its paths: {@code file}, {@code directory} or {@code list}.
 *
 * <table>
 *   <caption>Arguments and answers</caption>
 *   <tr><td>in file|directory PATH OUTSIDE</td><td></td></tr>
 *   <tr><td>in list DIRECTORY OUTSIDE...</td><td></td></tr>
 *   <tr><td>out file|directory immediate|deferred PATH OUTSIDE</td><td></td></tr>
 *   <tr><td>out list immediate|deferred OUTSIDE PATH...</td><td></td></tr>
 *   <tr><td>out KIND revoke|activate PATH...</td><td></td></tr>
 *   <tr><td>query KIND PATH...</td><td>complete, pending, deferred, failed</td></tr>
 *   <tr><td>wait|terminate KIND PATH...</td><td></td></tr>
 *   <tr><td>failures directory PATH</td><td>records {@code NUMBER PATH}, each with a zero byte
 *       behind it</td></tr>
 *   <tr><td>concurrency directory PATH COUNT</td><td></td></tr>
 *   <tr><td>get_stripes file PATH</td><td>size, width, start</td></tr>
 *   <tr><td>set_stripes file PATH SIZE WIDTH</td><td></td></tr>
 *   <tr><td>accounting directory PATH</td><td>a JSON document</td></tr>
 * </table>
 *
 * <p>The exit code is 0 or an error number of Linux; then the text is {@code libdatawarp: } and a
 * sentence. {@code wait} answers EINPROGRESS if a stage goes on for long, and the library asks
 * again. Any thread.
 */
public final class LibraryCommand implements Command, AutoCloseable {
  /** The name by which the library calls it. */
  public static final String PROGRAM = "libdatawarp";

  private static final Logger LOG = LoggerFactory.getLogger(LibraryCommand.class);

  /** The library gives up after a minute, so that a cluster that is silent must show before. */
  private static final Duration TIMEOUT_MAX = Duration.ofSeconds(15);

  private final MountedPaths mounts;
  private final ForebayOptions options;
  private final Connections connections;

  /**
   * For the programs of a machine.
   *
   * @param mounts what is mounted on it
   * @param options how to connect; user and groups are those of each caller
   */
  public LibraryCommand(MountedPaths mounts, ForebayOptions options) {
    this.mounts = mounts;
    boolean patient = options.timeout().compareTo(TIMEOUT_MAX) > 0;
    this.options = patient ? options.withTimeout(TIMEOUT_MAX) : options;
    this.connections = new Connections(this.options);
  }

  @Override
  public Answer run(Call call) {
    try {
      return new Answer(0, answer(call));
    } catch (CallFailed e) {
      return failed(call, e.number(), e);
    } catch (IOException e) {
      return failed(call, ErrorNumbers.of(e), e);
    } catch (IllegalArgumentException e) {
      // A path that cannot be staged, or a mount of another version.
      return failed(call, ErrorNumbers.EINVAL, e);
    }
  }

  private static Answer failed(Call call, int number, Exception why) {
    LOG.debug("{} of user {}: {}", call.arguments(), call.caller().user(), why.toString());
    return new Answer(number, PROGRAM + ": " + why.getMessage() + "\n");
  }

  private String answer(Call call) throws IOException, CallFailed {
    LibraryArguments arguments = new LibraryArguments(call.arguments());
    String name = arguments.next();
    Kind kind = arguments.kind();
    return switch (name) {
      case "in" -> in(call, kind, arguments);
      case "out" -> out(call, kind, arguments);
      case "query" -> {
        List<BufferPath> paths = paths(arguments.rest());
        yield connected(call, paths, each -> new StageQueries(each).count(kind, inside(paths)))
            .text();
      }
      case "wait" -> {
        List<BufferPath> paths = paths(arguments.rest());
        yield connected(
            call,
            paths,
            each -> {
              new StageQueries(each).await(kind, inside(paths), call.presence());
              return "";
            });
      }
      case "terminate" -> {
        List<BufferPath> paths = paths(arguments.rest());
        yield done(call, paths, each -> each.terminate(kind, inside(paths)));
      }
      case "failures" -> failures(call, path(arguments.next()));
      case "concurrency" -> concurrency(call, path(arguments.next()), arguments.number());
      case "get_stripes" -> stripes(call, path(arguments.next())).text();
      case "set_stripes" -> setStripes(call, arguments);
      case "accounting" -> accounting(call, path(arguments.next()));
      default -> throw new CallFailed(ErrorNumbers.EOPNOTSUPP, "there is no call '" + name + "'");
    };
  }

  private String in(Call call, Kind kind, LibraryArguments arguments)
      throws IOException, CallFailed {
    BufferPath path = path(arguments.next());
    List<String> outside = arguments.rest();
    if (outside.isEmpty()) throw new CallFailed(ErrorNumbers.EINVAL, "no source");
    return connected(
        call,
        List.of(path),
        each -> {
          StageStarts starts = new StageStarts(each);
          if (kind == Kind.LISTED) starts.listIn(path.path(), outside);
          else starts.in(kind, path.path(), outside.get(0));
          return "";
        });
  }

  private String out(Call call, Kind kind, LibraryArguments arguments)
      throws IOException, CallFailed {
    String type = arguments.next();
    return switch (type) {
      case "immediate", "deferred" -> {
        boolean deferred = type.equals("deferred");
        yield kind == Kind.LISTED
            ? listOut(call, deferred, arguments)
            : out(call, kind, deferred, arguments);
      }
      case "revoke" -> {
        List<BufferPath> paths = paths(arguments.rest());
        yield done(call, paths, each -> each.revoke(kind, inside(paths)));
      }
      case "activate" -> {
        List<BufferPath> paths = paths(arguments.rest());
        yield done(call, paths, each -> each.activate(kind, inside(paths)));
      }
      default -> throw new CallFailed(ErrorNumbers.EINVAL, "a stage out of type '" + type + "'");
    };
  }

  private String out(Call call, Kind kind, boolean deferred, LibraryArguments arguments)
      throws IOException, CallFailed {
    BufferPath path = path(arguments.next());
    String outside = arguments.next();
    return connected(
        call,
        List.of(path),
        each -> {
          new StageStarts(each).out(kind, path.path(), outside, deferred);
          return "";
        });
  }

  private String listOut(Call call, boolean deferred, LibraryArguments arguments)
      throws IOException, CallFailed {
    String outside = arguments.next();
    List<BufferPath> paths = paths(arguments.rest());
    return connected(
        call,
        paths,
        each -> {
          new StageStarts(each).listOut(inside(paths), outside, deferred);
          return "";
        });
  }

  private String failures(Call call, BufferPath path) throws IOException, CallFailed {
    List<StageQueries.Failure> failures =
        connected(call, List.of(path), each -> new StageQueries(each).failures(path.path()));
    StringBuilder text = new StringBuilder();
    for (StageQueries.Failure failure : failures) {
      text.append(failure.number()).append(' ').append(path.visible(failure.path())).append('\0');
    }
    return text.toString();
  }

  private String concurrency(Call call, BufferPath path, int count) throws IOException, CallFailed {
    if (count < 1) throw new CallFailed(ErrorNumbers.EINVAL, "a concurrency of " + count);
    return connected(
        call,
        List.of(path),
        each -> {
          each.staging().paths().concurrency(count);
          return "";
        });
  }

  private StripeLayout stripes(Call call, BufferPath path) throws IOException, CallFailed {
    return connected(
        call,
        List.of(path),
        each -> {
          each.client().stat(path.path());
          return StripeLayout.of(each.client().instance(), options.pieceBytes());
        });
  }

  private String setStripes(Call call, LibraryArguments arguments) throws IOException, CallFailed {
    BufferPath path = path(arguments.next());
    StripeLayout wanted = new StripeLayout(arguments.number(), arguments.number(), 0);
    StripeLayout there = stripes(call, path);
    if (wanted.equals(there)) return "";
    throw new CallFailed(
        ErrorNumbers.EOPNOTSUPP,
        "stripes belong to the instance; it was created with %d bytes over %d servers"
            .formatted(there.sizeBytes(), there.width()));
  }

  private String accounting(Call call, BufferPath path) throws IOException, CallFailed {
    return connected(
        call,
        List.of(path),
        each -> {
          StagedBytes staged = each.staging().stagedBytes();
          int id = each.client().instance().id();
          try (Cluster cluster = Cluster.connect(path.uri(), each.client().options())) {
            for (InstanceUsage usage : cluster.usage().instances()) {
              if (usage.instance().id() == id) return Json.write(UsageJson.of(usage, staged));
            }
          }
          throw new CallFailed(ErrorNumbers.ENODEV, "the instance has been destroyed");
        });
  }

  /** A change of stages that has no answer. */
  private interface Change {
    void make(StageQueries stages) throws IOException, CallFailed;
  }

  private String done(Call call, List<BufferPath> paths, Change change)
      throws IOException, CallFailed {
    return connected(
        call,
        paths,
        each -> {
          change.make(new StageQueries(each));
          return "";
        });
  }

  private <T> T connected(Call call, List<BufferPath> paths, Connections.Use<T> use)
      throws IOException, CallFailed {
    Caller caller = call.caller();
    BufferPath first = paths.get(0);
    return connections.call(
        new Connections.Key(
            first.uri(), first.mounted().privateTree(), caller.user(), caller.group()),
        use);
  }

  private BufferPath path(String visible) throws IOException, CallFailed {
    return BufferPath.of(visible, mounts);
  }

  /** All of one instance. */
  private List<BufferPath> paths(List<String> visible) throws IOException, CallFailed {
    if (visible.isEmpty()) throw new CallFailed(ErrorNumbers.EINVAL, "no path");
    List<BufferPath> paths = new ArrayList<>();
    for (String each : visible) paths.add(path(each));
    for (BufferPath each : paths) {
      if (!each.isInTreeOf(paths.get(0))) {
        throw new CallFailed(ErrorNumbers.EXDEV, "a list with files of several trees");
      }
    }
    return paths;
  }

  private static List<String> inside(List<BufferPath> paths) {
    return paths.stream().map(BufferPath::path).toList();
  }

  /** Ends its connections. */
  @Override
  public void close() {
    connections.close();
  }
}
