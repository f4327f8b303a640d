// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.cluster;

import io.forebay.base.ByteSize;
import io.forebay.cli.backing.BackingAddress;
import io.forebay.cli.ending.ExpiryTime;
import io.forebay.cli.remote.RemoteOptions;
import io.forebay.client.Cluster;
import io.forebay.client.ForebayUri;
import io.forebay.client.InstanceOptions;
import io.forebay.ring.DrainSpec;
import io.forebay.ring.Instance;
import io.forebay.ring.PlacementSpec;
import io.forebay.ring.RingMap;
import io.forebay.ring.SeatEntry;
import io.forebay.ring.Tenancy;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Makes an instance. */
@Command(name = "create", description = "Make an instance.")
final class InstanceCreateCommand implements Callable<Integer> {
  enum Ack {
    REPLICATED,
    FORCED
  }

  private static final Pattern POLICY =
      Pattern.compile("[a-z]+(=[^,=\\s]+)?(\\s*,\\s*[a-z]+(=[^,=\\s]+)?)*");

  @Spec private @Nullable CommandSpec spec;
  @Mixin private RemoteOptions remote = new RemoteOptions();

  @Parameters(paramLabel = "NAME", description = "Its name.")
  private String name = "";

  @Option(
      names = "--copies",
      paramLabel = "N",
      defaultValue = "0",
      description =
          "How many servers keep each byte (default: the manager's setting, 2 unless"
              + " changed).")
  private int copies;

  @Option(
      names = "--capacity",
      paramLabel = "SIZE",
      description =
          "How much it may hold, copies not counted, rounded up to granules of its pool; so much is"
              + " kept free for it (default: no limit, and nothing kept free).")
  private @Nullable ByteSize capacity;

  @Option(
      names = "--pool",
      paramLabel = "NAME",
      defaultValue = "",
      description =
          "The pool whose servers keep it (default: any without a capacity, else the pool"
              + " 'default' or the only one).")
  private String pool = "";

  @Option(
      names = "--lifetime",
      paramLabel = "WORD",
      defaultValue = "persistent",
      description =
          "PERSISTENT: it exists until it is destroyed; those of jobs are made by 'forebay job begin'.")
  private Instance.Lifetime lifetime = Instance.Lifetime.PERSISTENT;

  @Option(
      names = "--access",
      paramLabel = "WORD",
      defaultValue = "shared",
      description =
          "SHARED: all see one tree; PRIVATE: each node its own; BOTH: one for all and one for each"
              + " node (default: shared).")
  private Instance.Access access = Instance.Access.SHARED;

  @Option(
      names = "--ack",
      paramLabel = "WORD",
      defaultValue = "replicated",
      description =
          "When a write is acknowledged: REPLICATED, when all copies are in memory; FORCED, when"
              + " it survives a power cut of all servers (default: replicated).")
  private Ack ack = Ack.REPLICATED;

  @Option(
      names = "--when-degraded",
      paramLabel = "WORD",
      defaultValue = "continue",
      description =
          "While there are fewer servers than copies: CONTINUE, take writes with fewer copies and add"
              + " the others later; WAIT, take no writes until there are enough (default: continue).")
  private Instance.WhenDegraded whenDegraded = Instance.WhenDegraded.CONTINUE;

  @Option(names = "--few", hidden = true, arity = "0..1")
  private @Nullable String few;

  @Option(
      names = "--placement",
      paramLabel = "WORD",
      defaultValue = "ketama",
      description = "How data is spread: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
  private PlacementSpec.Kind placement = PlacementSpec.Kind.KETAMA;

  @Option(
      names = "--stripe",
      paramLabel = "SIZE",
      defaultValue = "8MiB",
      description = "The unit of stripes (default: ${DEFAULT-VALUE}).")
  private ByteSize stripe = new ByteSize(PlacementSpec.STRIPE_BYTES_DEFAULT);

  @Option(
      names = "--width",
      paramLabel = "N",
      defaultValue = "0",
      description = "Over how many seats a file is striped; 0 for all, the default.")
  private int width;

  @Option(
      names = "--backing",
      paramLabel = "URI",
      description =
          "Where its files are drained to: a directory that all servers reach, or such as"
              + " s3://BUCKET/DIR (default: nowhere).")
  private @Nullable String backing;

  @Option(
      names = "--drain",
      paramLabel = "POLICY",
      description =
          "When: close, every=30s, fill=60%%, end or request, and how: rate=200MB/s, priority=5, verify,"
              + " pack=1MiB to store smaller files together; several with commas between (default: close,end).")
  private @Nullable String drain;

  @Option(
      names = "--over",
      description =
          "Show what the backing store holds already, to read, change and delete it through this"
              + " instance (default: show only what is written here).")
  private boolean over;

  @Option(
      names = "--keep",
      paramLabel = "POLICY",
      description =
          "What stays in the buffer longest after its drain: last=3 checkpoints of each series,"
              + " data younger than age=2h, or both; series=ckpt-* for these names only;"
              + " rest=drop to evict all else at once; reads to cache what is read from the"
              + " backing store (default: what was drained last).")
  private @Nullable String keep;

  @Option(
      names = "--protect",
      paramLabel = "POLICY",
      description =
          "What may be written, to spare the SSDs: window=10x/24h, ten times the capacity within"
              + " 24 hours, or window=2TiB/24h; file-size=1TiB; files=1000000; then log, error or"
              + " both; several with commas between (default: no limits).")
  private @Nullable String protect;

  @Option(
      names = "--permit",
      paramLabel = "WORD",
      defaultValue = "everyone",
      description =
          "Which users it admits: OWNER, you; GROUP, your group; EVERYONE (default: everyone).")
  private Tenancy.Permit permit = Tenancy.Permit.EVERYONE;

  @Option(
      names = "--root",
      paramLabel = "WORD",
      defaultValue = "squash",
      description =
          "What root of a client machine is on it: SQUASH, a user without rights; ALLOW, root"
              + " (default: squash).")
  private Tenancy.Root root = Tenancy.Root.SQUASH;

  @Option(
      names = "--expires",
      paramLabel = "TIME",
      description =
          "When it ends by itself, as by 'instance destroy': 12h, 30d, or such as 2030-01-31"
              + " (default: never).")
  private @Nullable String expires;

  @Option(
      names = "--anyway",
      description =
          "Create it although the servers cannot use the backing store yet (default: they check"
              + " it first, and refuse an unusable one).")
  private boolean anyway;

  @Override
  public Integer call() throws IOException {
    if (spec == null) throw new IllegalStateException("run outside of a command line");
    PrintWriter out = spec.commandLine().getOut();
    if (width < 0) throw wrong("--width must be 0 or more");
    if (few != null) {
      throw wrong("--few is now --when-degraded continue|wait; 'degrade' has become 'continue'");
    }
    if (lifetime == Instance.Lifetime.JOB) {
      throw wrong(
          "an instance of a job is made with it; use 'forebay job begin TOKEN --capacity SIZE'");
    }
    InstanceOptions options =
        new InstanceOptions(
            lifetime,
            access,
            capacity == null ? 0 : capacity.bytes(),
            copies,
            ack == Ack.FORCED,
            whenDegraded,
            new PlacementSpec(placement, stripe.bytes(), width),
            drainSpec(),
            protect == null ? "" : protect,
            new Tenancy(permit, expiresSeconds()).withRoot(root),
            pool);
    try (Cluster cluster = remote.cluster()) {
      if (backing != null && !anyway) {
        BackingAddress.requireUsable(
            cluster.problemWithStore(backing),
            "with --anyway the instance is created nevertheless");
      }
      Instance made = cluster.createInstance(name, options);
      out.println("made; use it with");
      out.println();
      out.println("  export FOREBAY_URI=" + new ForebayUri(remote.managers(), made.name(), ""));
      warnOfSharedServers(made, cluster.map());
    }
    out.flush();
    return 0;
  }

  /** The manager interprets the words; this refuses only what cannot be a word. */
  private DrainSpec drainSpec() {
    if (backing == null) {
      if (over) throw wrong("--over shows what a backing store holds; name it with --backing URI");
      if (drain == null && keep == null) return DrainSpec.NONE;
      throw wrong(
          (drain == null ? "--keep says what stays" : "--drain says when")
              + ", but not where files are drained to; give --backing URI too");
    }
    String problem = BackingAddress.problemWith("--backing", backing);
    if (problem != null) throw wrong(problem);
    String policy = drain == null ? "" : drain.strip();
    if (drain != null && !POLICY.matcher(policy).matches()) {
      throw wrong(
          "--drain cannot be '%s'; write words with commas between, such as close,rate=200MB/s"
              .formatted(drain));
    }
    DrainSpec spec = new DrainSpec(backing, policy).keeping(keep == null ? "" : keep.strip());
    return over ? spec.asOver() : spec;
  }

  private long expiresSeconds() {
    if (expires == null) return 0;
    try {
      return ExpiryTime.parse(expires, Instant.now()).getEpochSecond();
    } catch (IllegalArgumentException e) {
      throw wrong(String.valueOf(e.getMessage()));
    }
  }

  private ParameterException wrong(String sentence) {
    if (spec == null) throw new IllegalStateException("run outside of a command line");
    return new ParameterException(spec.commandLine(), sentence);
  }

  private void warnOfSharedServers(Instance made, RingMap map) {
    long servers = serversHere(map);
    if (spec == null || servers >= made.copies()) return;
    PrintWriter err = spec.commandLine().getErr();
    err.printf(
        "forebay: WARNING: of the %d copies some share a server and are lost with it, since there"
            + " %s; add servers.%n",
        made.copies(), servers == 1 ? "is 1 server" : "are " + servers + " servers");
    err.flush();
  }

  /** Servers that are away or leaving keep no copies. */
  static long serversHere(RingMap map) {
    return map.seats().stream()
        .filter(seat -> seat.stay() == SeatEntry.Stay.HERE)
        .map(SeatEntry::server)
        .distinct()
        .count();
  }
}
