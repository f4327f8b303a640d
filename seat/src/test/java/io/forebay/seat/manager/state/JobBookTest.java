// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.manager.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.ring.DrainSpec;
import io.forebay.ring.Instance;
import io.forebay.ring.PlacementSpec;
import io.forebay.ring.Tenancy;
import io.forebay.wire.Limit;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Identity;
import io.forebay.wire.message.Jobs;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class JobBookTest {
  private static final int USER = 1000;
  private static final int GROUP = 100;
  private static final int OTHER = 2000;
  private static final Jobs.Stage OUT =
      new Jobs.Stage(Jobs.Direction.OUT, Jobs.Kind.DIRECTORY, "/out", "/lustre/out");

  private final ManagerState state = new ManagerState();

  @BeforeEach
  void form() {
    state.apply(new Command.BeginTerm(1, 7));
    state.apply(new Command.FormRing(Offers.arrivals(3, 1), 2));
  }

  private static Jobs.Job job(String token, List<String> uses, List<Jobs.Stage> stages) {
    return new Jobs.Job(
        token,
        USER,
        GROUP,
        "test",
        5,
        0,
        uses,
        stages,
        List.of(),
        "/mnt/forebay/17",
        Jobs.Phase.BEGUN,
        1);
  }

  private static Command.CreateInstance instance(String name, Instance.Access access) {
    return new Command.CreateInstance(
        Offers.op(),
        name,
        USER,
        GROUP,
        Instance.Lifetime.JOB,
        access,
        1 << 20,
        2,
        false,
        Instance.WhenDegraded.CONTINUE,
        new PlacementSpec(PlacementSpec.Kind.KETAMA, 1 << 20, 0),
        DrainSpec.NONE,
        "",
        Tenancy.OWN,
        "");
  }

  static Command.BeginJob begin(String token) {
    return new Command.BeginJob(
        USER,
        job(token, List.of(), List.of()),
        List.of(instance("job-" + token, Instance.Access.SHARED)));
  }

  private static Command.BeginJob bare(String token, List<String> uses, List<Jobs.Stage> stages) {
    return new Command.BeginJob(USER, job(token, uses, stages), List.of());
  }

  private void assertRefused(Command command, ErrorCode code, String sentence) {
    long epoch = state.epoch();
    List<Jobs.Job> before = state.jobs().all();
    Result result = state.apply(command);
    assertThat(result).isInstanceOf(Result.Refused.class);
    Result.Refused refused = (Result.Refused) result;
    assertThat(refused.sentence()).contains(sentence);
    assertThat(refused.code()).isEqualTo(code);
    assertThat(state.epoch()).isEqualTo(epoch);
    assertThat(state.jobs().all()).isEqualTo(before);
  }

  private void createPersistent(String name, Tenancy tenancy) {
    Command.CreateInstance own = instance(name, Instance.Access.SHARED);
    state.apply(
        new Command.CreateInstance(
            own.op(),
            name,
            OTHER,
            OTHER,
            Instance.Lifetime.PERSISTENT,
            own.access(),
            0,
            2,
            false,
            own.whenDegraded(),
            own.placement(),
            own.drain(),
            "",
            tenancy,
            ""));
  }

  @Test
  void aJobBeginsWithItsInstanceAndARetryFindsBoth() {
    assertThat(state.apply(begin("17"))).isInstanceOf(Result.Done.class);
    Instance own = state.map().instance("job-17");
    assertThat(own.lifetime()).isEqualTo(Instance.Lifetime.JOB);
    assertThat(own.owner()).isEqualTo(USER);
    assertThat(own.admits(OTHER, List.of(GROUP))).isFalse();
    assertThat(state.jobs().job("17").instance()).isEqualTo(own.id());
    long epoch = state.epoch();
    assertThat(state.apply(begin("17"))).isEqualTo(Result.Done.QUIETLY);
    assertThat(state.epoch()).isEqualTo(epoch);
  }

  @Test
  void anotherRequestUnderTheSameTokenIsRefused() {
    state.apply(begin("17"));
    Command.BeginJob same = begin("17");
    Jobs.Job asked = same.job();
    Jobs.Job changed =
        new Jobs.Job(
            "17",
            USER,
            GROUP,
            "test",
            5,
            0,
            asked.uses(),
            asked.stages(),
            List.of(),
            "/mnt/forebay/17",
            Jobs.Phase.BEGUN,
            2);
    assertRefused(
        new Command.BeginJob(USER, changed, same.instance()),
        ErrorCode.EXISTS,
        "job '17' was begun with another request; end it with 'forebay job end 17'");
    Jobs.Job foreign =
        new Jobs.Job(
            "17",
            OTHER,
            OTHER,
            "test",
            5,
            0,
            List.of(),
            List.of(),
            List.of(),
            "/mnt/forebay/17",
            Jobs.Phase.BEGUN,
            1);
    assertRefused(
        new Command.BeginJob(OTHER, foreign, List.of()),
        ErrorCode.EXISTS,
        "there is a job '17' of user 1000 already");
    state.apply(new Command.EndJob(USER, "17", false));
    assertRefused(begin("17"), ErrorCode.EXISTS, "job '17' is ending; its token can be used again");
  }

  @Test
  void onlyRootAndTheUserBeginAndEndIt() {
    Command.BeginJob own = begin("17");
    assertRefused(
        new Command.BeginJob(OTHER, own.job(), own.instance()),
        ErrorCode.NOT_PERMITTED,
        "user 2000 cannot begin a job of user 1000; only that user and root may");
    state.apply(new Command.BeginJob(Identity.ROOT, own.job(), own.instance()));
    assertRefused(
        new Command.EndJob(OTHER, "17", true),
        ErrorCode.NOT_PERMITTED,
        "job '17' belongs to user 1000; only that user and root may end it");
    assertRefused(
        new Command.SetNodes(OTHER, "17", List.of("n1")),
        ErrorCode.NOT_PERMITTED,
        "only that user and root may change it");
  }

  @Test
  void itIsForgottenWhenItsInstanceIsGone() {
    state.apply(begin("17"));
    int number = state.jobs().job("17").instance();
    assertThat(state.apply(new Command.EndJob(USER, "17", false))).isEqualTo(Result.Done.QUIETLY);
    assertThat(state.jobs().job("17").phase()).isEqualTo(Jobs.Phase.ENDING);
    assertThat(state.map().instance("job-17").drain().ending()).isTrue();
    assertThat(state.apply(new Command.EndJob(USER, "17", false))).isEqualTo(Result.Done.QUIETLY);
    state.apply(new Command.InstanceDrained(number));
    assertThat(state.jobs().job("17")).isNull();
    assertThat(state.map().instance("job-17")).isNull();
    assertRefused(
        new Command.EndJob(USER, "17", false),
        ErrorCode.NOT_FOUND,
        "there is no job '17': it has ended, or was never begun");
    assertThat(state.apply(begin("17"))).isInstanceOf(Result.Done.class);
  }

  @Test
  void inAHurryItIsGoneAtOnceAlsoWhileItEnds() {
    state.apply(begin("17"));
    state.apply(new Command.EndJob(USER, "17", false));
    state.apply(new Command.EndJob(USER, "17", true));
    assertThat(state.jobs().all()).isEmpty();
    assertThat(state.map().instance("job-17")).isNull();
    state.apply(bare("18", List.of(), List.of()));
    state.apply(new Command.EndJob(Identity.ROOT, "18", false));
    assertThat(state.jobs().all()).as("without an instance").isEmpty();
  }

  @Test
  void anInstanceThatIsDestroyedByItselfTakesItsJobAlong() {
    state.apply(begin("17"));
    int number = state.jobs().job("17").instance();
    state.apply(new Command.EndInstance(Offers.op(), number, USER));
    assertThat(state.jobs().job("17").phase()).isEqualTo(Jobs.Phase.ENDING);
    state.apply(new Command.DestroyInstance(Offers.op(), number, USER));
    assertThat(state.jobs().all()).isEmpty();
  }

  @Test
  void itsNodesTellItsPhase() {
    state.apply(begin("17"));
    state.apply(new Command.SetNodes(USER, "17", List.of()));
    assertThat(state.jobs().job("17").phase()).isEqualTo(Jobs.Phase.BEGUN);
    state.apply(new Command.SetNodes(USER, "17", List.of("n1", "n2")));
    assertThat(state.jobs().job("17").phase()).isEqualTo(Jobs.Phase.RUNNING);
    assertThat(state.jobs().job("17").nodes()).containsExactly("n1", "n2");
    state.apply(new Command.SetNodes(USER, "17", List.of()));
    assertThat(state.jobs().job("17").phase()).isEqualTo(Jobs.Phase.RAN);
    assertRefused(
        new Command.SetNodes(USER, "17", List.of("n 1")),
        ErrorCode.INVALID,
        "'n 1' is no name of a node");
    assertRefused(
        new Command.SetNodes(USER, "17", List.of("n", "n")), ErrorCode.INVALID, "a node twice");
    assertRefused(
        new Command.SetNodes(USER, "17", Collections.nCopies(8193, "n")),
        ErrorCode.INVALID,
        "job '17' on 8193 nodes; at most 8192");
    List<String> longNames = new ArrayList<>();
    for (int i = 0; i < 1000; i++) longNames.add("n".repeat(200) + i);
    assertRefused(new Command.SetNodes(USER, "17", longNames), ErrorCode.INVALID, "are too long");
    state.apply(new Command.EndJob(USER, "17", false));
    assertRefused(
        new Command.SetNodes(USER, "17", List.of("n1")),
        ErrorCode.INVALID,
        "job '17' is ending; it runs nowhere any more");
    assertRefused(
        new Command.SetNodes(USER, "18", List.of()), ErrorCode.NOT_FOUND, "there is no job '18'");
  }

  @Test
  void requestsOutOfBoundsAreRefused() {
    for (String token : List.of("", "a b", "a/b", "x".repeat(65))) {
      assertRefused(
          bare(token, List.of(), List.of()),
          ErrorCode.INVALID,
          "is no token of a job: use 1 to 64");
    }
    state.apply(begin("x".repeat(64)));
    assertThat(state.map().instance("job-" + "x".repeat(64))).isNotNull();
    assertRefused(
        bare("a", Collections.nCopies(65, "i"), List.of()),
        ErrorCode.INVALID,
        "job 'a' uses 65 instances; at most 64");
    assertRefused(
        bare("a", List.of(), Collections.nCopies(65, OUT)),
        ErrorCode.INVALID,
        "job 'a' has 65 stages; at most 64: stage a directory or a list");
    Jobs.Stage noPlace = new Jobs.Stage(Jobs.Direction.OUT, Jobs.Kind.FILE, "/out", "");
    assertRefused(
        bare("a", List.of(), List.of(noPlace)),
        ErrorCode.INVALID,
        "a stage of job 'a' lacks its source or destination");
    Jobs.Stage deep =
        new Jobs.Stage(Jobs.Direction.OUT, Jobs.Kind.FILE, "/" + "d".repeat(70_000), "/out");
    assertRefused(
        bare("a", List.of(), List.of(deep)), ErrorCode.INVALID, "characters of names and paths");
    Jobs.Job creator =
        new Jobs.Job(
            "a",
            USER,
            GROUP,
            "c".repeat(257),
            5,
            0,
            List.of(),
            List.of(),
            List.of(),
            "/mnt/forebay/17",
            Jobs.Phase.BEGUN,
            1);
    assertRefused(
        new Command.BeginJob(USER, creator, List.of()),
        ErrorCode.INVALID,
        "a creator of 257 characters; at most 256");
  }

  @Test
  void whatItUsesMustBeThereAndAdmitItsUser() {
    assertRefused(
        bare("a", List.of("none"), List.of()),
        ErrorCode.NOT_FOUND,
        "job 'a' uses instance 'none', and there is no persistent instance of that name");
    createPersistent("own", Tenancy.OWN);
    assertRefused(
        bare("a", List.of("own"), List.of()),
        ErrorCode.NOT_PERMITTED,
        "which does not admit user 1000; its owner, user 2000, decides that");
    createPersistent("open", Tenancy.OPEN);
    assertThat(state.apply(bare("a", List.of("open"), List.of()))).isEqualTo(Result.Done.QUIETLY);
    state.apply(new Command.ExpireInstance(state.map().instance("open").id()));
    assertRefused(bare("b", List.of("open"), List.of()), ErrorCode.NOT_FOUND, "which is ending");
    assertThat(state.apply(bare("a", List.of("open"), List.of())))
        .as("a retry")
        .isEqualTo(Result.Done.QUIETLY);
  }

  @Test
  void whatAJobUsesIsNotDestroyedByItsOwner() {
    createPersistent("open", Tenancy.OPEN);
    int number = state.map().instance("open").id();
    int owner = state.map().instance("open").owner();
    state.apply(bare("a", List.of("open"), List.of()));
    assertRefused(
        new Command.EndInstance(Offers.op(), number, owner),
        ErrorCode.NOT_PERMITTED,
        "instance 'open' is used by job a; destroy it when that has ended, or as root with --discard");
    assertRefused(
        new Command.DestroyInstance(Offers.op(), number, owner),
        ErrorCode.NOT_PERMITTED,
        "used by job a");
    assertThat(state.checkProtect(number, owner, "none")).isNull();
    state.apply(new Command.EndJob(USER, "a", false));
    assertThat(state.apply(new Command.EndInstance(Offers.op(), number, owner)))
        .isEqualTo(Result.Done.QUIETLY);
    assertRefused(bare("b", List.of("open"), List.of()), ErrorCode.NOT_FOUND, "which is ending");
  }

  @Test
  void rootOnlyDiscardsWhatAJobUses() {
    createPersistent("open", Tenancy.OPEN);
    int number = state.map().instance("open").id();
    state.apply(bare("a", List.of("open"), List.of()));
    assertRefused(
        new Command.EndInstance(Offers.op(), number, Identity.ROOT),
        ErrorCode.NOT_PERMITTED,
        "used by job a");
    assertThat(state.apply(new Command.DestroyInstance(Offers.op(), number, Identity.ROOT)))
        .isEqualTo(Result.Done.QUIETLY);
  }

  @Test
  void whatHasExpiredEndsAlsoIfAJobUsesIt() {
    createPersistent("open", Tenancy.OPEN);
    int number = state.map().instance("open").id();
    state.apply(bare("a", List.of("open"), List.of()));
    assertThat(state.apply(new Command.ExpireInstance(number))).isEqualTo(Result.Done.QUIETLY);
    assertThat(state.map().instance("open").drain().ending()).isTrue();
  }

  @Test
  void itsInstanceIsItsOwn() {
    assertRefused(
        bare("a", List.of(), List.of(OUT)),
        ErrorCode.INVALID,
        "job 'a' has stages, but no instance of its own; give it a capacity");
    assertRefused(
        new Command.BeginJob(
            USER,
            job("a", List.of(), List.of()),
            List.of(instance("job-b", Instance.Access.SHARED))),
        ErrorCode.INVALID,
        "the instance of job 'a' is 'job-a'");
    assertRefused(
        new Command.BeginJob(
            USER,
            job("a", List.of(), List.of(OUT)),
            List.of(instance("job-a", Instance.Access.PRIVATE))),
        ErrorCode.INVALID,
        "job 'a' stages files, but each tree of its private instance belongs to a node");
    Command.BeginJob both =
        new Command.BeginJob(
            USER,
            job("b", List.of(), List.of(OUT)),
            List.of(instance("job-b", Instance.Access.BOTH)));
    assertThat(state.apply(both))
        .as("stages go to the shared tree")
        .isInstanceOf(Result.Done.class);
    createPersistent("job-a", Tenancy.OPEN);
    assertThat(state.map().instance("job-a")).as("a name of jobs only").isNull();
  }

  /** As a batch system begins it. */
  private static Command.BeginJob ofBatch(String token) {
    return new Command.BeginJob(Identity.ROOT, job(token, List.of(), List.of()), List.of());
  }

  @Test
  void aUserDoesNotFillTheBook() {
    long most = Limit.JOBS_PER_USER.value();
    for (int i = 0; i < most; i++) state.apply(bare("t" + i, List.of(), List.of()));
    assertThat(state.jobs().all()).hasSize((int) most);
    assertRefused(
        bare("more", List.of(), List.of()),
        ErrorCode.NO_SPACE,
        "user 1000 has as many jobs as one user may begin; end some");
    assertThat(state.apply(bare("t0", List.of(), List.of())))
        .as("a retry")
        .isEqualTo(Result.Done.QUIETLY);
    assertThat(state.apply(ofBatch("more"))).isEqualTo(Result.Done.QUIETLY);
    state.apply(new Command.EndJob(USER, "more", false));
    state.apply(new Command.EndJob(USER, "t0", false));
    assertThat(state.apply(bare("again", List.of(), List.of()))).isEqualTo(Result.Done.QUIETLY);
  }

  @Test
  void aUserDoesNotFillTheMapWithInstances() {
    int made = 0;
    while (state.apply(longOne(USER, "a" + made)) instanceof Result.Made) made++;
    assertThat(made).isBetween(100, (int) Limit.INSTANCES_PER_USER.value());
    Command.CreateInstance more = longOne(USER, "more");
    assertRefused(more, ErrorCode.NO_SPACE, "user 1000 has as many instances as one user may have");
    assertRefused(begin("17"), ErrorCode.NO_SPACE, "has as many instances as one user may have");
    Command.BeginJob batch =
        new Command.BeginJob(Identity.ROOT, begin("17").job(), begin("17").instance());
    assertThat(state.apply(batch)).as("of a batch system").isInstanceOf(Result.Done.class);
    assertThat(state.apply(longOne(OTHER, "others"))).isInstanceOf(Result.Made.class);
    int first = state.map().instance("a0").id();
    state.apply(new Command.DestroyInstance(Offers.op(), first, USER));
    state.apply(new Command.DestroyInstance(Offers.op(), first + 1, USER));
    assertThat(state.apply(more)).isInstanceOf(Result.Made.class);
  }

  /** With the longest texts that are taken. */
  private static Command.CreateInstance longOne(int owner, String name) {
    Command.CreateInstance own = instance(name, Instance.Access.SHARED);
    String backing = "dir:/" + "b".repeat(4000);
    return new Command.CreateInstance(
        own.op(),
        name,
        owner,
        owner,
        Instance.Lifetime.PERSISTENT,
        own.access(),
        0,
        2,
        false,
        own.whenDegraded(),
        own.placement(),
        new DrainSpec(backing, "", "", false, false),
        "",
        Tenancy.OPEN,
        "");
  }

  @Test
  void theBookIsBounded() {
    assertThat(state.jobs().lacksRoomFor(ofBatch("more").job())).isFalse();
    for (int i = 0; i < JobRules.JOBS_MAX; i++) state.apply(ofBatch("t" + i));
    assertThat(state.jobs().all()).hasSize(JobRules.JOBS_MAX);
    assertThat(state.jobs().lacksRoomFor(ofBatch("more").job())).isTrue();
    assertRefused(
        ofBatch("more"),
        ErrorCode.NO_SPACE,
        "the manager has no room for another job beside 10000; end some");
    Jobs.JobsAre first = state.jobs().after("", 100, job -> true);
    assertThat(first.jobs()).hasSize(100);
    assertThat(first.more()).isTrue();
    assertThat(state.jobs().after("t9999", 100, job -> true))
        .isEqualTo(new Jobs.JobsAre(List.of(), false));
  }

  @Test
  void aNodeHasTheJobsThatRunOnIt() {
    state.apply(begin("17"));
    state.apply(begin("18"));
    assertThat(state.jobs().on("n1")).isEmpty();
    state.apply(new Command.SetNodes(USER, "17", List.of("n1", "n2")));
    state.apply(new Command.SetNodes(USER, "18", List.of("n2")));
    assertThat(state.jobs().on("n1")).extracting(Jobs.Job::token).containsExactly("17");
    assertThat(state.jobs().on("n1").getFirst().nodes()).containsExactly("n1");
    assertThat(state.jobs().on("n2")).extracting(Jobs.Job::token).containsExactly("17", "18");
    state.apply(new Command.SetNodes(USER, "17", List.of()));
    state.apply(new Command.EndJob(USER, "18", true));
    assertThat(state.jobs().on("n2")).isEmpty();
  }

  @Test
  void aDirectoryForMountsIsAWholePath() {
    for (String bad : List.of("mnt", "/", "/mnt/../etc", "/mnt/", "/mnt/a b", "/mnt/./x")) {
      Jobs.Job asked = begin("17").job();
      Jobs.Job job =
          new Jobs.Job(
              "17",
              USER,
              GROUP,
              "test",
              5,
              0,
              asked.uses(),
              asked.stages(),
              List.of(),
              bad,
              Jobs.Phase.BEGUN,
              1);
      assertRefused(
          new Command.BeginJob(USER, job, List.of()),
          ErrorCode.INVALID,
          "'%s' is no directory for the mounts of job '17'".formatted(bad));
    }
  }

  @Test
  void aSnapshotHasTheJobs() throws Exception {
    state.apply(begin("17"));
    state.apply(new Command.SetNodes(USER, "17", List.of("n1")));
    ManagerState restored = new ManagerState();
    restored.restore(state.snapshot());
    assertThat(restored.jobs().all()).isEqualTo(state.jobs().all());
    assertThat(Command.decode(begin("18").encode())).isInstanceOf(Command.BeginJob.class);
  }
}
