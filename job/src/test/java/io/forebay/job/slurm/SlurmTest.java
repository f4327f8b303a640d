// SPDX-License-Identifier: Apache-2.0

package io.forebay.job.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.forebay.job.agent.AgentServer;
import io.forebay.job.service.StatusCommands;
import io.forebay.job.service.WlmCommands;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A real Slurm with both of its plugins, our programs and the agent, over a service in memory. What
 * a cluster does for jobs is tested elsewhere.
 */
class SlurmTest {
  private static final Path SLURM_HERE = Path.of("../dev/slurm-here");
  private static final long POLL_MILLIS = 100;
  private static final int POLLS_MAX = 600;

  private static final String WORK =
      """
      echo "directory $DW_JOB_STRIPED"
      srun --ntasks=2 --ntasks-per-node=1 bash -c 'echo "node $SLURMD_NODENAME $DW_JOB_STRIPED"'
      """;

  @TempDir private Path folder;
  private final MemoryJobs jobs = new MemoryJobs();
  private AgentServer agent;
  private Path slurm;

  @BeforeEach
  void startAgent() throws IOException, InterruptedException {
    for (String program : new String[] {"/usr/sbin/slurmctld", "/usr/sbin/munged", "/usr/bin/cc"}) {
      assumeTrue(
          Files.isExecutable(Path.of(program)), "needs " + program + ": run dev/optional-packages");
    }
    agent =
        AgentServer.start(
            folder.resolve("agent.sock"),
            Map.of(
                "dw_wlm_cli",
                new WlmCommands(jobs),
                "dwstat",
                new StatusCommands(jobs, ZoneOffset.UTC)),
            Set.of());
    run("src/main/slurm/install", folder.resolve("bin").toString());
  }

  @AfterEach
  void end() throws IOException, InterruptedException {
    if (slurm != null) run(SLURM_HERE.toString(), "down", "--dir", slurm.toString());
    if (agent != null) agent.close();
  }

  private void startSlurm(String plugin) throws IOException, InterruptedException {
    String told =
        run(
            SLURM_HERE.toString(),
            "up",
            "--plugin",
            plugin,
            "--nodes",
            "2",
            "--commands",
            folder.resolve("bin").toString(),
            "--socket",
            folder.resolve("agent.sock").toString());
    Matcher matcher = Pattern.compile("export SLURM_CONF=(\\S+)/etc/slurm.conf").matcher(told);
    assertThat(matcher.find()).as(told).isTrue();
    slurm = Path.of(matcher.group(1));
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
    assertThat(Files.readString(slurm.resolve("work/slurm-" + id + ".out")))
        .contains("directory " + directory, "node n1 " + directory, "node n2 " + directory);
    assertThat(jobs.take())
        .containsExactly("begin", "stage IN", "attach [n1, n2]", "detach", "stage OUT", "end");
  }

  private void refusesMistakes(String plugin) throws IOException, InterruptedException {
    assertThat(submit("#DW jobdw capacity=1.5TB pool=ssd\n", "true\n"))
        .contains("burst_buffer/" + plugin + ": line 2: capacity=1.5TB has a decimal point");
    assertThat(submit("#DW jobdw capacity=2TiB pool=ssd\n", "true\n"))
        .contains("line 2: capacity 2 TiB is more than pool 'ssd' has in all");
    assertThat(jobs.take()).isEmpty();
  }

  private void holdsAJobWithoutItsInput() throws IOException, InterruptedException {
    String id =
        idOf(
            submit(
                """
                #DW jobdw capacity=1GiB pool=ssd
                #DW stage_in type=file source=/pfs/missing destination=$DW_JOB_STRIPED/in
                """,
                "true\n"));
    String state = "";
    for (int i = 0; i < POLLS_MAX && !state.contains("does not exist"); i++) {
      Thread.sleep(POLL_MILLIS);
      state = asUser("squeue --noheader --jobs=" + id + " --format='%t %r'");
    }
    assertThat(state).startsWith("PD ").contains("'/pfs/missing' does not exist; create it");
    asUser("scancel " + id);
    waitUntilGone(id);
    // Held jobs with TeardownFailure end twice, and all that matters is that none is left.
    assertThat(jobs.take()).startsWith("begin", "stage IN").endsWith("end");
  }

  private void usesThePersistentBuffer() throws IOException, InterruptedException {
    jobs.take();
    String id = submitAndWait("#DW persistentdw name=atlas\n", "env | grep ^DW_\n");
    assertThat(slurm.resolve("work/slurm-" + id + ".out"))
        .content()
        .isEqualTo("DW_PERSISTENT_STRIPED_atlas=/mnt/atlas/\n");
    assertThat(
            run("env", "SLURM_CONF=" + configuration(), "scontrol", "show", "bbstat", "sessions"))
        .contains("atlas");
    jobs.take();
  }

  /** Submits a script and waits until its buffer is gone; returns the job's id. */
  private String submitAndWait(String directives, String work)
      throws IOException, InterruptedException {
    String id = idOf(submit(directives, work));
    waitUntilGone(id);
    return id;
  }

  private static String idOf(String told) {
    Matcher matcher = Pattern.compile("Submitted batch job (\\d+)").matcher(told);
    assertThat(matcher.find()).as(told).isTrue();
    return matcher.group(1);
  }

  private void waitUntilGone(String id) throws IOException, InterruptedException {
    String state = id;
    for (int i = 0; i < POLLS_MAX; i++) {
      Thread.sleep(POLL_MILLIS);
      state = asUser("squeue --noheader --states=all --jobs=" + id + " --format='%T %r'");
      // Slurm says that a job is cancelled before it has torn its buffer down.
      boolean over = state.isEmpty() || state.matches("(?s)(COMPLETED|CANCELLED|FAILED) .*");
      if (over && !jobs.has(id)) return;
    }
    throw new AssertionError("job " + id + " is not over: " + state);
  }

  private String submit(String directives, String work) throws IOException, InterruptedException {
    Path script = slurm.resolve("work/job.sh");
    Files.writeString(script, "#!/bin/bash\n" + directives + work);
    return asUser("cd " + script.getParent() + " && sbatch job.sh");
  }

  private String configuration() {
    return slurm + "/etc/slurm.conf";
  }

  private String asUser(String command) throws IOException, InterruptedException {
    String all = "export SLURM_CONF=" + configuration() + "; " + command;
    return System.getProperty("user.name").equals("root")
        ? run("su", "nobody", "-s", "/bin/bash", "-c", all)
        : run("/bin/bash", "-c", all);
  }

  private String run(String... words) throws IOException, InterruptedException {
    Path out = folder.resolve("out");
    // A file and no pipe: Slurm's processes inherit it, and a pipe would end with them.
    new ProcessBuilder(words)
        .redirectErrorStream(true)
        .redirectOutput(out.toFile())
        .start()
        .waitFor();
    return Files.readString(out);
  }
}
