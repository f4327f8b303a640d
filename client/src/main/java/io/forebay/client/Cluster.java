// SPDX-License-Identifier: Apache-2.0

package io.forebay.client;

import io.forebay.base.ByteSize;
import io.forebay.base.GroupId;
import io.forebay.base.SeatId;
import io.forebay.base.fields.MalformedFields;
import io.forebay.client.core.route.ClientEnvironment;
import io.forebay.client.core.route.Router;
import io.forebay.client.failure.ForebayException;
import io.forebay.client.job.Job;
import io.forebay.client.job.Node;
import io.forebay.client.job.NodeMount;
import io.forebay.client.loop.ClientLoop;
import io.forebay.client.use.ClusterUsage;
import io.forebay.client.use.InstanceUsage;
import io.forebay.ring.Group;
import io.forebay.ring.Instance;
import io.forebay.ring.RingMap;
import io.forebay.ring.RingMapCodec;
import io.forebay.ring.SeatEntry;
import io.forebay.ring.Tenancy;
import io.forebay.wire.message.Drains;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Identity;
import io.forebay.wire.message.Jobs;
import io.forebay.wire.message.Maps;
import io.forebay.wire.message.Replies;
import io.forebay.wire.message.Stages;
import io.forebay.wire.message.Statuses;
import io.forebay.wire.message.Uses;
import io.forebay.wire.tls.TlsSettings;
import java.io.IOException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A connection to administer a cluster: its map, its instances and its status. */
public final class Cluster implements AutoCloseable {
  /**
   * The maximum number of servers that check a store. Correctly configured servers all see the same
   * roots.
   */
  private static final int STORE_LOOKS_MAX = 3;

  /** Jobs fetched at a time. */
  private static final int JOBS_PAGE = 500;

  /** Nodes fetched at a time. */
  private static final int NODES_PAGE = 500;

  private final ClientLoop loop;
  private final Router router;
  private final Identity who;

  /** Draws the request numbers by which the manager recognizes a retried change. */
  private final SecureRandom random = new SecureRandom();

  /** Of a router that has started. */
  private Cluster(ClientLoop loop, Router router, Identity who) {
    this.loop = loop;
    this.router = router;
    this.who = who;
  }

  /** Connects to {@code forebay://host:port[,host:port]}. */
  public static Cluster connect(String uri) throws IOException {
    return connect(uri, ForebayOptions.defaults());
  }

  public static Cluster connect(String uri, ForebayOptions options) throws IOException {
    ForebayUri parsed = ForebayUri.parse(uri);
    TlsSettings tls = options.tls().settings(parsed.managers());
    ClientLoop loop = new ClientLoop("forebay-cluster", tls, options.tls().credentials());
    SecureRandom random = new SecureRandom();
    Router router =
        new Router(
            options.config(parsed.managers(), ""),
            new ClientEnvironment(
                loop.timers(), loop.network(), random, options.warnings(), loop.proof()),
            random.nextLong());
    loop.start();
    try {
      Identity who = loop.call(null, () -> router.start().thenApply(map -> router.identity()));
      return new Cluster(loop, router, who);
    } catch (IOException e) {
      loop.stop();
      throw e;
    }
  }

  /** The newest map this connection knows; the manager sends each new one. */
  public RingMap map() throws IOException {
    return loop.call(null, () -> CompletableFuture.completedFuture(router.maps().map()));
  }

  /** All instances. */
  public List<Instance> instances() throws IOException {
    return map().instances();
  }

  /** Makes an instance and waits until the map has it. */
  public Instance createInstance(String name, InstanceOptions options) throws IOException {
    Maps.CreateInstance create = options.request(random.nextLong(), name, who);
    Maps.InstanceMade made =
        loop.call(null, () -> router.askManager(create, Maps.InstanceMade.class));
    RingMap map = loop.call(null, () -> router.mapAt(made.ringEpoch()));
    Instance instance = map.instance(made.instance());
    if (instance == null) throw new IllegalStateException("the map lacks instance " + name);
    return instance;
  }

  /**
   * Gives an instance another capacity, rounded up to granules of its pool. More is there soon
   * after. Less is there once the home of its tree has agreed: this waits for that, and fails if
   * more is used.
   */
  public Instance resizeInstance(String name, long capacityBytes) throws IOException {
    Maps.ResizeInstance resize =
        new Maps.ResizeInstance(random.nextLong(), name, who, capacityBytes);
    Maps.InstanceMade made =
        loop.call(null, () -> router.askManager(resize, Maps.InstanceMade.class));
    RingMap map = loop.call(null, () -> router.mapAt(made.ringEpoch()));
    Instance asked = required(map, made.instance());
    Instance now = asked;
    while (now.allocation().granules() > now.granulesWanted()) {
      long next = map.epoch() + 1;
      map = loop.call(null, () -> router.mapAt(next));
      now = required(map, made.instance());
    }
    if (now.capacityBytes() <= asked.capacityBytes()) return now;
    throw new ForebayException(
        ErrorCode.NO_SPACE,
        "instance '%s' keeps its capacity of %s: more than %s is used or promised to writers; delete some"
            .formatted(
                name,
                ByteSize.format(now.capacityBytes()),
                ByteSize.format(asked.capacityBytes())));
  }

  private static Instance required(RingMap map, int number) {
    Instance instance = map.instance(number);
    if (instance == null) throw new IllegalStateException("the map lacks instance " + number);
    return instance;
  }

  /**
   * Changes the settings of a pool; for root only.
   *
   * @param granuleBytes the unit of allocation; 0 to leave it
   * @param userBytesMax the capacity that one user may have; 0 for no limit, -1 to leave it
   * @param protection the default write protection; null to leave it
   */
  public void setPool(
      String name, long granuleBytes, long userBytesMax, @Nullable String protection)
      throws IOException {
    List<String> given = protection == null ? List.of() : List.of(protection);
    Maps.SetPool set = new Maps.SetPool(name, who, granuleBytes, userBytesMax, given);
    loop.call(null, () -> router.askManager(set, Replies.Done.class));
  }

  /**
   * Ends an instance: it takes no more writes, its deferred stages out are run, its data is drained
   * if its policy says {@code end}, and then it is gone with all its data. Servers do that whatever
   * becomes of this process; {@link #instances} shows whether it is gone. Asked for again, it does
   * no harm.
   */
  public void destroyInstance(String name) throws IOException {
    Maps.DestroyInstance destroy = new Maps.DestroyInstance(random.nextLong(), name, who);
    loop.call(null, () -> router.askManager(destroy, Replies.Done.class));
  }

  /** Destroys an instance at once, including data that is not drained or staged out. */
  public void discardInstance(String name) throws IOException {
    Maps.DiscardInstance discard = new Maps.DiscardInstance(random.nextLong(), name, who);
    loop.call(null, () -> router.askManager(discard, Replies.Done.class));
  }

  /**
   * Changes what the users of an instance may write.
   *
   * @param protection such as {@code window=10x/24h,file-size=1TiB,error}; {@code none} for no
   *     limits
   */
  public void protectInstance(String name, String protection) throws IOException {
    Maps.ProtectInstance protect =
        new Maps.ProtectInstance(random.nextLong(), name, who, protection);
    loop.call(null, () -> router.askManager(protect, Replies.Done.class));
  }

  /**
   * Changes which users an instance admits, and revokes all capabilities that were given for it.
   * Clients of users that it admits get new ones, without their programs noticing; all others are
   * refused within seconds.
   *
   * @param permit null to leave it
   * @param root what root of client machines is on it; null to leave it
   */
  public void setAccess(String name, Tenancy.@Nullable Permit permit, Tenancy.@Nullable Root root)
      throws IOException {
    Maps.SetAccess set =
        new Maps.SetAccess(
            random.nextLong(),
            name,
            who,
            permit == null ? "" : InstanceOptions.word(permit),
            root == null ? "" : InstanceOptions.word(root));
    loop.call(null, () -> router.askManager(set, Replies.Done.class));
  }

  /**
   * Begins a job, with an instance of its own if it asks for one, and waits until the map has it.
   * The same request again gives the same job; another one under its token is refused. {@link
   * Job#isReachedWith} says whether the request's credential is the job's.
   */
  public Job beginJob(JobRequest request) throws IOException {
    Jobs.BeginJob begin = request.message(random.nextLong(), who);
    Jobs.JobIs is = loop.call(null, () -> router.askManager(begin, Jobs.JobIs.class));
    loop.call(null, () -> router.mapAt(is.ringEpoch()));
    return Job.of(is.job()).withCredential(is.credential());
  }

  /** All jobs, in the order of their tokens. */
  public List<Job> jobs() throws IOException {
    List<Job> jobs = new ArrayList<>();
    String after = "";
    while (true) {
      Jobs.ListJobs list = new Jobs.ListJobs(after, JOBS_PAGE);
      Jobs.JobsAre page = loop.call(null, () -> router.askManager(list, Jobs.JobsAre.class));
      for (Jobs.Job job : page.jobs()) jobs.add(Job.of(job));
      if (!page.more() || jobs.isEmpty()) return jobs;
      after = jobs.get(jobs.size() - 1).token();
    }
  }

  /**
   * The job of a token.
   *
   * @throws io.forebay.client.failure.ForebayException with NOT_FOUND if there is none
   */
  public Job job(String token) throws IOException {
    Jobs.GetJob get = new Jobs.GetJob(token);
    return Job.of(loop.call(null, () -> router.askManager(get, Jobs.JobIs.class)).job());
  }

  /** Says on which nodes a job runs; on none, once it has run. */
  public void setNodes(String token, List<String> nodes) throws IOException {
    Jobs.SetNodes set = new Jobs.SetNodes(who, token, nodes);
    loop.call(null, () -> router.askManager(set, Replies.Done.class));
  }

  /**
   * Ends a job: its instance ends as by {@link #destroyInstance}, and then the job is forgotten.
   *
   * @param hurry discards what is not staged out or drained
   * @throws io.forebay.client.failure.ForebayException with NOT_FOUND if there is no such job, or
   *     not any more
   */
  public void endJob(String token, boolean hurry) throws IOException {
    Jobs.EndJob end = new Jobs.EndJob(who, token, hurry);
    loop.call(null, () -> router.askManager(end, Replies.Done.class));
  }

  /**
   * Reports the mounts of a node, for its agent.
   *
   * @return the jobs that run on that node; the map of this connection shows their instances
   */
  public List<Job> reportNode(String node, List<NodeMount> mounts) throws IOException {
    return reportNode(node, mounts, 0);
  }

  /**
   * The same.
   *
   * @param refusedCallers how many programs the agent has refused since its start, because it
   *     served as many as it may
   */
  public List<Job> reportNode(String node, List<NodeMount> mounts, long refusedCallers)
      throws IOException {
    List<Jobs.Mount> shown = mounts.stream().map(NodeMount::onWire).toList();
    Jobs.ReportNode report = new Jobs.ReportNode(who, node, shown, refusedCallers);
    Jobs.NodeJobs answer = loop.call(null, () -> router.askManager(report, Jobs.NodeJobs.class));
    loop.call(null, () -> router.mapAt(answer.ringEpoch()));
    return answer.jobs().stream().map(Job::of).toList();
  }

  /** The nodes whose agents have reported, in the order of their names. */
  public List<Node> nodes() throws IOException {
    return nodesOf("");
  }

  /** The nodes of a job, and those that still have mounts of it; with these mounts only. */
  public List<Node> nodes(String token) throws IOException {
    if (token.isEmpty()) throw new IllegalArgumentException("a job without a token");
    return nodesOf(token);
  }

  private List<Node> nodesOf(String token) throws IOException {
    List<Node> nodes = new ArrayList<>();
    String after = "";
    while (true) {
      Jobs.ListNodes list = new Jobs.ListNodes(token, after, NODES_PAGE);
      Jobs.NodesAre page = loop.call(null, () -> router.askManager(list, Jobs.NodesAre.class));
      for (Jobs.Node node : page.nodes()) nodes.add(Node.of(node));
      if (!page.more() || nodes.isEmpty()) return nodes;
      after = nodes.get(nodes.size() - 1).name();
    }
  }

  /** Removes a manager from those of the cluster, which agree on that; its process ends then. */
  public void removeManager(String name) throws IOException {
    Maps.RemoveManager remove = new Maps.RemoveManager(name);
    loop.call(null, () -> router.askManager(remove, Replies.Done.class));
  }

  /**
   * Asks a server to leave. Other servers take over its groups, as the map shows; then the server
   * exits.
   */
  public void leave(String server) throws IOException {
    Maps.Leave leave = new Maps.Leave(server);
    loop.call(null, () -> router.askManager(leave, Replies.Done.class));
  }

  /**
   * Continues a group with the data of one member, although no member is known to hold everything
   * that was acknowledged. Data that only other members had is lost. Refused while waiting may
   * help.
   */
  public void revive(Group group, Group.Member with) throws IOException {
    Maps.Revive revive =
        new Maps.Revive(group.id(), group.epoch(), with.seat(), with.incarnation());
    loop.call(null, () -> router.askManager(revive, Replies.Done.class));
  }

  public Statuses.ManagerStatus managerStatus() throws IOException {
    return loop.call(
        null, () -> router.askManager(new Statuses.GetStatus(), Statuses.ManagerStatus.class));
  }

  /**
   * Lets some servers check a backing store, with the rights of this connection's user.
   *
   * @return why it cannot be used, as a sentence; empty if they can use it
   */
  public String problemWithStore(String address) throws IOException {
    return problemWithStore(address, who);
  }

  /** The same with the rights of another user, whose job is to use the store. */
  public String problemWithStore(String address, Identity user) throws IOException {
    Drains.CheckBacking question = new Drains.CheckBacking(address, user);
    Set<String> asked = new TreeSet<>();
    for (SeatEntry seat : map().seats()) {
      boolean serves = seat.stay() == SeatEntry.Stay.HERE && !seat.away();
      if (!serves || !asked.add(seat.server())) continue;
      String problem =
          loop.call(null, () -> router.askSeat(seat.id(), question, Drains.BackingIs.class))
              .problem();
      if (!problem.isEmpty()) return problem;
      if (asked.size() == STORE_LOOKS_MAX) break;
    }
    return "";
  }

  /** What was written and read of all instances, as far as servers answer. */
  public ClusterUsage usage() throws IOException {
    RingMap map = map();
    List<Uses.GroupUse> uses = new ArrayList<>();
    Map<SeatId, String> silent = new LinkedHashMap<>();
    Set<GroupId> served = new HashSet<>();
    for (SeatEntry seat : map.seats()) {
      if (seat.stay() == SeatEntry.Stay.LEFT || seat.away()) continue;
      Uses.GetUses question = new Uses.GetUses(0);
      try {
        Uses.UsesAre answer =
            loop.call(null, () -> router.askSeat(seat.id(), question, Uses.UsesAre.class));
        uses.addAll(answer.uses());
        served.addAll(answer.served());
      } catch (IOException e) {
        silent.put(seat.id(), String.valueOf(e.getMessage()));
      }
    }
    List<GroupId> missing =
        map.groups().stream().map(Group::id).filter(group -> !served.contains(group)).toList();
    List<InstanceUsage> instances =
        map.instances().stream()
            .map(instance -> InstanceUsage.of(instance, uses, missing))
            .toList();
    return new ClusterUsage(instances, silent, missing);
  }

  /** Asks the server of a seat to look for tasks of an instance's stages; servers call it. */
  public void callToStage(SeatId seat, Instance instance) throws IOException {
    Stages.CallToStage call = new Stages.CallToStage(instance.id());
    loop.call(null, () -> router.askSeat(seat, call, Replies.Done.class));
  }

  /**
   * The status of a seat; fails soon if it does not answer, or if another seat runs at its address.
   */
  public Statuses.SeatStatus seatStatus(SeatId seat) throws IOException {
    return loop.call(null, () -> router.askStatus(seat));
  }

  /** The map that a seat follows; null if it has none. Fails soon if it does not answer. */
  public @Nullable RingMap seatMap(SeatId seat) throws IOException {
    Maps.MapIs told = loop.call(null, () -> router.askMap(seat));
    if (told.map().length() == 0) return null;
    try {
      return RingMapCodec.read(told.map());
    } catch (MalformedFields e) {
      throw new IOException("the map of " + seat + " cannot be read: " + e.getMessage(), e);
    }
  }

  @Override
  public void close() {
    loop.execute(router::close);
    loop.stop();
  }
}
