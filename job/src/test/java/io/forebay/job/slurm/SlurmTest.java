// SPDX-License-Identifier: Apache-2.0

package io.forebay.job.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.forebay.job.agent.AgentServer;
import io.forebay.job.batch.JobSweep;
import io.forebay.job.batch.SlurmQueue;
import io.forebay.job.service.StatusCommands;
import io.forebay.job.service.WlmCommands;
import io.forebay.testing.SlurmHere;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A real Slurm with both of its plugins, our programs and the agent, over a service in memory. What
 * a cluster does for jobs is tested elsewhere.
 */
class SlurmTest {
  private static final String WORK =
      """
      echo "directory $DW_JOB_STRIPED"
      srun --ntasks=2 --ntasks-per-node=1 bash -c 'echo "node $SLURMD_NODENAME $DW_JOB_STRIPED"'
      """;

  @TempDir private Path folder;
  private final MemoryJobs jobs = new MemoryJobs();
  private AgentServer agent;
  private SlurmHere slurm;

  @BeforeEach
  void startAgent() throws IOException, InterruptedException {
    assumeTrue(SlurmHere.missing().isEmpty(), SlurmHere.missing());
    agent =
        AgentServer.start(
            folder.resolve("agent.sock"),
            Map.of(
                "dw_wlm_cli",
                new WlmCommands(jobs),
                "dwstat",
                new StatusCommands(jobs, ZoneOffset.UTC)),
            Set.of());
  }

  @AfterEach
  void end() throws IOException, InterruptedException {
    if (slurm != null) slurm.down();
    if (agent != null) agent.close();
  }

  private void startSlurm(String plugin) throws IOException, InterruptedException {
    slurm = SlurmHere.up(folder, plugin, "--socket", folder.resolve("agent.sock").toString());
  }

  @Test
  void jobsWithTheLuaPlugin() throws IOException, InterruptedException {
    startSlurm("lua");
    runsAJob();
    refusesMistakes("lua");
    holdsAJobWithoutItsInput();

    // Slurm's Lua plugin does not read #BB.
    submitAndWait("#DW create_persistent name=atlas capacity=1GiB pool=ssd\n", "true\n");
    usesThePersistentBuffer();
    submitAndWait("#DW destroy_persistent name=atlas\n", "true\n");
    assertThat(jobs.take()).contains("destroy atlas");
    assertThat(jobs.isEmpty()).isTrue();
  }

  @Test
  void jobsWithTheDatawarpPlugin() throws IOException, InterruptedException {
    startSlurm("datawarp");
    runsAJob();
    refusesMistakes("datawarp");
    holdsAJobWithoutItsInput();

    submitAndWait("#BB create_persistent name=atlas capacity=1GiB access=striped\n", "true\n");
    usesThePersistentBuffer();
    submitAndWait("#BB destroy_persistent name=atlas\n", "true\n");
    assertThat(jobs.take()).contains("destroy atlas");
    assertThat(jobs.isEmpty()).isTrue();
  }

  private void runsAJob() throws IOException, InterruptedException {
    String id =
        submitAndWait(
            """
            #SBATCH --nodes=2
            #DW jobdw capacity=1GiB pool=ssd access_mode=striped type=scratch
            #DW stage_in type=file source=/pfs/in destination=$DW_JOB_STRIPED/in
            #DW stage_out type=file source=$DW_JOB_STRIPED/out destination=/pfs/out
            """,
            WORK);
    String directory = "/mnt/" + id + "/";
    assertThat(slurm.output(id))
        .contains("directory " + directory, "node n1 " + directory, "node n2 " + directory);
    assertThat(jobs.take())
        .containsExactly("begin", "stage IN", "attach [n1, n2]", "detach", "stage OUT", "end");
  }

  private void refusesMistakes(String plugin) throws IOException, InterruptedException {
    assertThat(slurm.submit("#DW jobdw capacity=1.5TB pool=ssd\n", "true\n"))
        .contains("burst_buffer/" + plugin + ": line 2: capacity=1.5TB has a decimal point");
    assertThat(slurm.submit("#DW jobdw capacity=2TiB pool=ssd\n", "true\n"))
        .contains("line 2: capacity 2 TiB is more than pool 'ssd' has in all");
    assertThat(jobs.take()).isEmpty();
  }

  private void holdsAJobWithoutItsInput() throws IOException, InterruptedException {
    String id =
        slurm.submitted(
            """
            #DW jobdw capacity=1GiB pool=ssd
            #DW stage_in type=file source=/pfs/missing destination=$DW_JOB_STRIPED/in
            """,
            "true\n");
    String state = slurm.awaitState(id, now -> now.contains("does not exist"));
    assertThat(state).startsWith("PENDING ").contains("'/pfs/missing' does not exist; create it");
    slurm.asUser("scancel " + id);
    // Slurm's Lua plugin may kill the teardown of a job that is cancelled while it is queued.
    SlurmQueue queue = new SlurmQueue(slurm.program("squeue").toString());
    try (JobSweep sweep = new JobSweep(jobs, queue, Duration.ofSeconds(1))) {
      sweep.start();
      waitUntilGone(id);
    }
    // Slurm may end a held job twice, and all that matters is that none is left.
    assertThat(jobs.take()).startsWith("begin", "stage IN").endsWith("end");
  }

  private void usesThePersistentBuffer() throws IOException, InterruptedException {
    jobs.take();
    String id = submitAndWait("#DW persistentdw name=atlas\n", "env | grep ^DW_\n");
    assertThat(slurm.output(id)).isEqualTo("DW_PERSISTENT_STRIPED_atlas=/mnt/atlas/\n");
    assertThat(slurm.asUser("scontrol show bbstat sessions")).contains("atlas");
    jobs.take();
  }

  /** Submits a script and waits until its buffer is gone; returns the job's id. */
  private String submitAndWait(String directives, String work)
      throws IOException, InterruptedException {
    String id = slurm.submitted(directives, work);
    waitUntilGone(id);
    return id;
  }

  private void waitUntilGone(String id) throws IOException, InterruptedException {
    // Slurm says that a job is cancelled before it has torn its buffer down.
    slurm.awaitState(id, state -> SlurmHere.isOver(state) && !jobs.has(id));
  }
}
