// SPDX-License-Identifier: Apache-2.0

package io.forebay.job.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.job.service.Command.Answer;
import io.forebay.job.service.Command.Call;
import io.forebay.job.service.Command.Caller;
import io.forebay.job.service.JobService.StageProgress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WlmCommandsTest {
  private static final Caller OPERATOR = new Caller(0, 0, true);
  private static final Answer DONE = new Answer(0, "");

  private static final String SCRIPT =
      """
      #!/bin/bash
      #DW jobdw capacity=10GiB access_mode=striped type=scratch
      #DW stage_in type=file source=/pfs/a destination=$DW_JOB_STRIPED/a
      #DW stage_out type=directory source=$DW_JOB_STRIPED/out destination=/pfs/out
      srun ./model
      """;

  @TempDir private Path folder;
  private final RecordedJobs jobs = new RecordedJobs();
  private final WlmCommands commands = new WlmCommands(jobs);
  private boolean waiting = true;

  private Answer run(String words) {
    return run(OPERATOR, words);
  }

  private Answer run(Caller caller, String words) {
    List<String> arguments = List.of(words.split(" ", -1));
    return commands.run(new Call("dw_wlm_cli", arguments, "/", caller, () -> waiting));
  }

  private String script(String text) throws IOException {
    return Files.writeString(folder.resolve("script"), text).toString();
  }

  private Answer setUp(String script) {
    return run(
        "--function setup --token 12 --caller SLURM --user 1000 --groupid 100 --capacity ssd:10GiB"
            + " --job "
            + script);
  }

  @Test
  void aFunctionWaitsForAManagerThatIsAway() throws IOException {
    String script = script(SCRIPT);
    jobs.absences = 2;
    assertThat(setUp(script)).isEqualTo(DONE);
    jobs.absences = 1;
    assertThat(run("--function data_out --token 12 --job " + script)).isEqualTo(DONE);
    jobs.absences = 1;
    waiting = false;
    assertThat(run("--function data_out --token 12 --job " + script))
        .isEqualTo(Answer.failed("the manager is away; start it"));
  }

  @Test
  void nothingIsSetUpForACallerThatIsGone() throws IOException {
    waiting = false;
    assertThat(setUp(script(SCRIPT)).text())
        .isEqualTo("the caller of token 12 is gone; it is not set up\n");
    assertThat(jobs.asked).isEmpty();
  }

  /** Slurm kills the setup of a job that is cancelled, and ends the job at once. */
  @Test
  void theEndWaitsForASetupThatGoesOn() throws Exception {
    String script = script(SCRIPT);
    CountDownLatch begins = new CountDownLatch(1);
    CountDownLatch mayBegin = new CountDownLatch(1);
    jobs.duringBegin =
        () -> {
          begins.countDown();
          awaitQuietly(mayBegin);
        };
    Thread setup = Thread.ofPlatform().start(() -> setUp(script));
    begins.await();
    Thread teardown =
        Thread.ofPlatform().start(() -> run("--function teardown --token 12 --job " + script));
    while (teardown.getState() != Thread.State.WAITING && teardown.isAlive()) Thread.sleep(1);
    mayBegin.countDown();
    setup.join();
    teardown.join();
    assertThat(jobs.asked)
        .containsExactly("begin 12 SLURM 1000:100 pool=ssd nodes=[]", "end hurry=false");
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void whatACacheTookIsStagedOut() throws IOException {
    String script =
        script("#!/bin/bash\n#DW jobdw capacity=10GiB access_mode=striped type=cache pfs=/pfs\n");
    assertThat(setUp(script)).isEqualTo(DONE);
    assertThat(run("--function data_in --token 12 --job " + script)).isEqualTo(DONE);
    jobs.progress.add(new StageProgress.Running());
    jobs.progress.add(new StageProgress.Failed("'/pfs' is full; make room"));
    assertThat(run("--function data_out --token 12 --job " + script))
        .isEqualTo(Answer.failed("'/pfs' is full; make room"));
    assertThat(jobs.asked).contains("stage OUT 0").doesNotContain("stage IN 0");
  }

  @Test
  void aJobFromItsBeginningToItsEnd() throws IOException {
    String script = script(SCRIPT);
    Path variables = folder.resolve("path");
    Path nodes = Files.writeString(folder.resolve("nodes"), "n1\nn2\n");
    assertThat(run("--function job_process --job " + script)).isEqualTo(DONE);
    assertThat(setUp(script)).isEqualTo(DONE);
    assertThat(run("--function data_in --token 12 --job " + script)).isEqualTo(DONE);
    assertThat(run("--function real_size --token 12").text()).contains("\"capacity\":7");
    assertThat(run("--function paths --job " + script + " --token 12 --pathfile " + variables))
        .isEqualTo(new Answer(0, "DW_JOB_STRIPED=/mnt/12/\n"));
    assertThat(variables).as("the program writes it").doesNotExist();
    assertThat(
            run("--function pre_run --token 12 --job " + script + " --nodehostnamefile " + nodes))
        .isEqualTo(DONE);
    assertThat(run("--function post_run --token 12 --job " + script)).isEqualTo(DONE);
    assertThat(run("--function data_out --token 12 --job " + script)).isEqualTo(DONE);
    assertThat(run("--function teardown --token 12 --job " + script)).isEqualTo(DONE);
    assertThat(jobs.asked)
        .containsExactly(
            "begin 12 SLURM 1000:100 pool=ssd nodes=[]",
            "stage IN 1",
            "attach [n1, n2]",
            "detach",
            "stage OUT 1",
            "end hurry=false");
  }

  @Test
  void theEndMayBeRepeated() {
    Answer gone = new Answer(0, "token not found\n");
    assertThat(run("--function teardown --token 12 --job /gone --hurry")).isEqualTo(gone);
    assertThat(run("--function teardown --token nothing --job /gone")).isEqualTo(gone);
    assertThat(run("--function teardown --token atlas --job /gone --hurry")).isEqualTo(DONE);
    assertThat(jobs.asked)
        .containsExactly(
            "end hurry=true",
            "destroy nothing owner=OptionalLong.empty hurry=false",
            "destroy atlas owner=OptionalLong.empty hurry=true");
  }

  @Test
  void aJobThatIsNotKnownIsNotStaged() throws IOException {
    String script = script(SCRIPT);
    assertThat(run("--function data_out --token 12 --job " + script))
        .isEqualTo(new Answer(0, "token not found\n"));
    Answer in = run("--function data_in --token 12 --job " + script);
    assertThat(in.exitCode()).isEqualTo(1);
    // Slurm takes these words for success, and would run the job without its input.
    assertThat(in.text()).contains("job 12 has no buffer").doesNotContain("No matching session");
  }

  @Test
  void stagesAreWaitedFor() throws IOException {
    String script = script(SCRIPT);
    setUp(script);
    jobs.progress.add(new StageProgress.Running());
    jobs.progress.add(new StageProgress.Running());
    assertThat(run("--function data_in --token 12 --job " + script)).isEqualTo(DONE);
    assertThat(jobs.progress).isEmpty();
    jobs.progress.add(new StageProgress.Running());
    jobs.progress.add(new StageProgress.Failed("'/pfs/a' does not exist; create it"));
    assertThat(run("--function data_in --token 12 --job " + script))
        .isEqualTo(new Answer(1, "'/pfs/a' does not exist; create it\n"));
  }

  @Test
  void nothingWaitsForACallerThatIsGone() throws IOException {
    String script = script(SCRIPT);
    setUp(script);
    waiting = false;
    assertThat(run("--function data_in --token 12 --job " + script).exitCode()).isEqualTo(1);
    assertThat(jobs.asked).contains("stage IN 1");
  }

  @Test
  void privateTreesAreStagedWhenTheNodesAreKnown() throws IOException {
    String script =
        script(
            """
            #DW jobdw capacity=10GiB access_mode=striped,private
            #DW stage_in type=file source=/pfs/a destination=$DW_JOB_STRIPED/a
            #DW stage_in type=file source=/pfs/a destination=$DW_JOB_PRIVATE/a
            """);
    setUp(script);
    String preRun = "--function pre_run --token 12 --nodes n1,n2 --job " + script;
    assertThat(run(preRun)).isEqualTo(DONE);
    assertThat(jobs.asked).endsWith("attach [n1, n2]", "stage 2 on [n1, n2]");
    jobs.progress.add(new StageProgress.Failed("the stage of node n2 failed"));
    assertThat(run(preRun)).isEqualTo(new Answer(1, "the stage of node n2 failed\n"));
    jobs.progress.add(new StageProgress.Running());
    assertThat(run(preRun))
        .isEqualTo(new Answer(1, "the caller of token 12 is gone; its stages go on\n"));
  }

  @Test
  void onlyListsAndPathsInPrivateTreesAreStagedThen() throws IOException {
    String list = "#DW stage_in type=list source=/pfs/list\n";
    String striped = "#DW stage_in type=file source=/pfs/a destination=$DW_JOB_STRIPED/a\n";
    setUp(script("#DW jobdw capacity=1GiB access_mode=striped\n"));
    run(script("#DW jobdw capacity=1GiB access_mode=striped\n" + list), "pre_run");
    run(script("#DW jobdw capacity=1GiB access_mode=striped,private\n" + striped), "pre_run");
    assertThat(jobs.asked).noneMatch(each -> each.contains(" on "));
    run(script("#DW jobdw capacity=1GiB access_mode=striped,private\n" + list), "pre_run");
    assertThat(jobs.asked).endsWith("stage 1 on [n1]");
  }

  private void run(String script, String function) {
    assertThat(run("--function %s --token 12 --nodes n1 --job %s".formatted(function, script)))
        .isEqualTo(DONE);
  }

  @Test
  void stagesCanBeStartedAndAskedFor() throws IOException {
    String script = script(SCRIPT);
    setUp(script);
    assertThat(run("--function start_data_out --token 12 --job " + script)).isEqualTo(DONE);
    jobs.progress.add(new StageProgress.Running());
    assertThat(run("--function test_data_out --token 12 --job " + script))
        .isEqualTo(new Answer(0, "BUSY\n"));
    assertThat(run("--function test_data_out --token 12 --job " + script)).isEqualTo(DONE);
  }

  @Test
  void mistakesAreRefusedAtSubmission() throws IOException {
    assertThat(run("--function job_process --job " + script("#DW jobdw capacity=1.5TB\n")).text())
        .startsWith("line 1: capacity=1.5TB has a decimal point");
    assertThat(run("--function job_process --job " + script("#DW jobdw capacity=1TiB\n")))
        .isEqualTo(
            new Answer(
                1,
                "line 1: capacity 1 TiB is more than any pool has in all; ask for at most 100"
                    + " GiB\n"));
    assertThat(
            run("--function job_process --job " + script("#DW jobdw capacity=1G pool=hdd\n"))
                .text())
        .isEqualTo("line 1: there is no pool 'hdd'; write one of ssd\n");
    assertThat(run("--function job_process --job /nothing").text())
        .contains("the agent cannot read '/nothing' (it does not exist); run it as");
  }

  @Test
  void aPersistentBufferIsCreated() {
    assertThat(
            run("--function create_persistent -c CLI -t atlas -u 1000 -C ssd:1048576 -a striped"))
        .isEqualTo(new Answer(0, "created\n"));
    assertThat(jobs.asked).containsExactly("create atlas user=1000 bytes=1048576 pool=ssd");
    assertThat(run("--function create_persistent -c CLI -t a -u 1 -C ssd:1 -T cache").exitCode())
        .isEqualTo(1);
    assertThat(
            run("--function create_persistent -c CLI -t a -u 1 -C ssd:1 -a striped,private").text())
        .contains("cannot have access 'striped,private'; write access=striped or access=private");
  }

  @Test
  void slurmItselfCallsForLinesWithBb() throws IOException {
    String script = script("#BB create_persistent name=a capacity=1G\n");
    Path variables = folder.resolve("path");
    assertThat(setUp(script)).isEqualTo(DONE);
    assertThat(run("--function data_in --token 12 --job " + script)).isEqualTo(DONE);
    assertThat(run("--function paths --token 12 --job " + script + " --pathfile " + variables))
        .isEqualTo(DONE);
    assertThat(run("--function pre_run --token 12 --job " + script)).isEqualTo(DONE);
    assertThat(jobs.asked).isEmpty();
    setUp(
        script("#DW create_persistent name=a capacity=1G\n#DW destroy_persistent name=b hurry\n"));
    assertThat(jobs.asked)
        .containsExactly(
            "destroy b owner=OptionalLong[1000] hurry=true",
            "create a user=1000 bytes=1073741824 pool=ssd");
  }

  @Test
  void usersMayLookAndNotChange() {
    Caller user = new Caller(1000, 100, false);
    assertThat(run(user, "--function pools").text()).startsWith("{\"pools\":[");
    assertThat(run(user, "--function teardown --token 12 --job /x"))
        .isEqualTo(
            new Answer(
                1,
                "only root and the users that the agent's setting 'operators' names may call"
                    + " function 'teardown'; user 1000 is none of them\n"));
    assertThat(jobs.asked).isEmpty();
  }

  @Test
  void wrongArgumentsAreExplained() {
    assertThat(run("--function")).isEqualTo(new Answer(2, "--function needs a value\n"));
    assertThat(run("pools").text()).contains("'pools' is no option of dw_wlm_cli");
    assertThat(run("--function teardown")).isEqualTo(new Answer(2, "--token is missing\n"));
    assertThat(run("--function fly").text()).startsWith("invalid function");
  }

  @Test
  void tablesAreNamed() {
    StatusCommands status = new StatusCommands(jobs, ZoneOffset.UTC);
    assertThat(status.run(call("dwstat")).text()).startsWith("pool units quantity");
    assertThat(status.run(call("dwstat", "sessions", "-b")).text()).isEqualTo("no sessions\n");
    assertThat(status.run(call("dwcli", "ls", "session")).text()).isEqualTo("no sessions\n");
    assertThat(status.run(call("dwstat", "most")).text()).contains("ssd").contains("no instances");
    assertThat(status.run(call("dwstat", "x")).text()).contains("knows no table 'x'");
    assertThat(status.run(call("dwcli", "create")).exitCode()).isEqualTo(2);
  }

  private static Call call(String program, String... arguments) {
    return new Call(program, List.of(arguments), "/", OPERATOR, () -> true);
  }
}
