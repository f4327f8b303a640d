// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.forebay.client.Cluster;
import io.forebay.client.job.Node;
import io.forebay.mount.fuse.FuseSession;
import io.forebay.mount.fuse.library.FuseUnavailable;
import io.forebay.ring.Pool;
import io.forebay.ring.RingMap;
import io.forebay.ring.pool.PoolRoom;
import io.forebay.server.EmbeddedCluster;
import io.forebay.testing.SlurmHere;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A real Slurm, agents of two nodes as processes in mount namespaces of their own, real mounts, and
 * a cluster in this process: what a job script says happens, whatever dies, and nothing is left.
 */
@Timeout(600)
class SlurmClusterTest {
  private static final int MIB = 1 << 20;
  private static final String BUFFER = "#DW jobdw capacity=16MiB pool=default access_mode=%s\n";
  private static final String CACHE =
      "#DW jobdw capacity=16MiB pool=default access_mode=striped type=cache pfs=%s\n";

  /** More with {@code -Dforebay.slurm.jobs=200}. */
  private static final int QUEUED_JOBS = Integer.getInteger("forebay.slurm.jobs", 3);

  @TempDir private Path folder;
  private Path pfs;
  private EmbeddedCluster cluster;
  private Cluster admin;
  private SlurmHere slurm;

  @BeforeEach
  void startCluster() throws Exception {
    assumeTrue(SlurmHere.missing().isEmpty(), SlurmHere.missing());
    assumeTrue(System.getProperty("user.name").equals("root"), "needs root: run the suite as root");
    try {
      FuseSession.check();
    } catch (FuseUnavailable none) {
      assumeTrue(false, none.getMessage() + " (dev/optional-packages)");
    }
    // The user of the jobs reads and writes there.
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
    pfs = Files.createDirectory(folder.resolve("pfs"));
    Files.setPosixFilePermissions(pfs, PosixFilePermissions.fromString("rwxrwxrwx"));
    cluster =
        EmbeddedCluster.builder()
            .servers(3)
            .segmentBytes(MIB)
            .granuleBytes(MIB)
            .budget(64L * MIB, 128L * MIB)
            .stageRoots(List.of(pfs))
            .backingRoots(List.of(pfs))
            .withoutInstance()
            .start();
    admin = Cluster.connect(cluster.uri(""));
  }

  @AfterEach
  void end() throws Exception {
    if (slurm != null) slurm.down();
    if (admin != null) admin.close();
    if (cluster != null) cluster.close();
  }

  private void startSlurm(String plugin) throws IOException, InterruptedException {
    String agent =
        String.join(
            " ",
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            System.getProperty("java.class.path"),
            "io.forebay.cli.Main agent --uri",
            cluster.uri(""));
    slurm = SlurmHere.up(folder, plugin, "--agent", agent);
  }

  /** Waits until Slurm and the cluster are done with a job. */
  private String ended(String id) throws IOException, InterruptedException {
    return slurm.awaitState(
        id,
        state -> {
          try {
            return SlurmHere.isOver(state)
                && admin.jobs().stream().noneMatch(job -> job.token().equals(id));
          } catch (IOException e) {
            throw new AssertionError(e);
          }
        });
  }

  private void assertNothingIsLeft() throws IOException {
    assertThat(admin.jobs()).isEmpty();
    assertThat(admin.instances()).isEmpty();
    RingMap map = admin.map();
    for (Pool pool : map.pools()) {
      PoolRoom room = PoolRoom.of(pool, map.seats(), map.instances());
      assertThat(room.free()).isEqualTo(room.quantity());
    }
    List<Node> nodes = admin.nodes();
    assertThat(nodes).extracting(Node::name).containsExactly("n1", "n2");
    for (Node node : nodes) assertThat(node.mounts()).as(node.name()).isEmpty();
  }

  @Test
  void jobsWithTheDatawarpPlugin() throws Exception {
    startSlurm("datawarp");
    stagesAndSharesAndHides();
    usesAPersistentBuffer();
    survivesWhatDies();
    endsCancelledAndFailingJobs();
    assertNothingIsLeft();
  }

  private void stagesAndSharesAndHides() throws Exception {
    Files.writeString(pfs.resolve("in"), "input");
    Path list = pfs.resolve("list");
    Files.writeString(
        list, "%s/in $DW_JOB_STRIPED/listed\n%s/in $DW_JOB_PRIVATE/listed\n".formatted(pfs, pfs));
    String id =
        slurm.submitted(
            "#SBATCH --nodes=2\n"
                + BUFFER.formatted("striped,private")
                + "#DW stage_in type=file source=%s/in destination=$DW_JOB_STRIPED/in\n"
                    .formatted(pfs)
                + "#DW stage_in type=file source=%s/in destination=$DW_JOB_PRIVATE/own/in\n"
                    .formatted(pfs)
                + "#DW stage_in type=list source=%s\n".formatted(list)
                + "#DW stage_out type=directory source=$DW_JOB_STRIPED/out destination=%s/out\n"
                    .formatted(pfs),
            """
            env | grep ^DW_
            mkdir $DW_JOB_STRIPED/out
            srun --ntasks=2 --ntasks-per-node=1 bash -c '
              echo "$SLURMD_NODENAME $(cat $DW_JOB_STRIPED/in $DW_JOB_STRIPED/listed)" > ${DW_JOB_PRIVATE}mine
              cat $DW_JOB_PRIVATE/own/in $DW_JOB_PRIVATE/listed >> ${DW_JOB_PRIVATE}mine
              ls $DW_JOB_STRIPED >> ${DW_JOB_PRIVATE}mine
              cp ${DW_JOB_PRIVATE}mine ${DW_JOB_STRIPED}out/$SLURMD_NODENAME'
            """);
    ended(id);
    String directory = slurm.directory() + "/mnt/" + id;
    assertThat(slurm.output(id))
        .as(slurm.logs())
        .contains(
            "DW_JOB_STRIPED=" + directory + "/striped/\n",
            "DW_JOB_PRIVATE=" + directory + "/private/\n");
    for (String node : List.of("n1", "n2")) {
      assertThat(pfs.resolve("out/" + node))
          .hasContent(node + " inputinput\ninputinputin\nlisted\nout\n");
    }
  }

  private void usesAPersistentBuffer() throws Exception {
    ended(
        slurm.submitted("#BB create_persistent name=atlas capacity=8MiB access=striped\n", "true"));
    String use = "#DW persistentdw name=atlas\n";
    ended(slurm.submitted(use, "echo kept > ${DW_PERSISTENT_STRIPED_atlas}file\n"));
    String reader = slurm.submitted(use, "cat ${DW_PERSISTENT_STRIPED_atlas}file\n");
    ended(reader);
    assertThat(slurm.output(reader)).isEqualTo("kept\n");
    ended(slurm.submitted("#BB destroy_persistent name=atlas\n", "true"));
  }

  /**
   * The manager is down when the job is set up, a server while it is staged in and mounted, another
   * while it runs, and all of them, with the manager, when it ends.
   */
  private void survivesWhatDies() throws Exception {
    cluster.manager().stop();
    cluster.stop(2);
    String id =
        slurm.submitted(
            BUFFER.formatted("striped")
                + "#DW stage_in type=file source=%s/in destination=$DW_JOB_STRIPED/in\n"
                    .formatted(pfs)
                + "#DW stage_out type=file source=$DW_JOB_STRIPED/out destination=%s/back\n"
                    .formatted(pfs),
            """
            until [ -e %1$s/read ]; do sleep 0.2; done
            cp $DW_JOB_STRIPED/in $DW_JOB_STRIPED/out && cat $DW_JOB_STRIPED/in && touch %1$s/copied
            until [ -e %1$s/go ]; do sleep 0.2; done
            """
                .formatted(pfs));
    slurm.awaitState(id, state -> state.contains("BurstBufferStageIn"));
    cluster.manager().start();
    slurm.awaitState(id, state -> state.startsWith("RUNNING"));
    slurm.killAndRestart("agent n1");
    cluster.start(2);
    cluster.stop(0);
    slurm.killAndRestart("agent n2");
    Files.writeString(pfs.resolve("read"), "");
    slurm.awaitState(id, state -> Files.exists(pfs.resolve("copied")));
    cluster.manager().stop();
    cluster.stop(1);
    cluster.stop(2);
    Files.writeString(pfs.resolve("go"), "");
    slurm.awaitState(id, state -> state.startsWith("STAGE_OUT"));
    cluster.manager().start();
    for (int i = 0; i < cluster.servers(); i++) cluster.start(i);
    ended(id);
    assertThat(slurm.output(id)).as(slurm.logs()).isEqualTo("input");
    assertThat(pfs.resolve("back")).hasContent("input");
  }

  private void endsCancelledAndFailingJobs() throws Exception {
    String running = slurm.submitted(BUFFER.formatted("striped"), "sleep 1000\n");
    slurm.awaitState(running, state -> state.startsWith("RUNNING"));
    slurm.asUser("scancel " + running);

    Path closed = Files.createDirectory(pfs.resolve("closed"));
    Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("rwx------"));
    String refused =
        slurm.submitted(
            BUFFER.formatted("striped")
                + "#DW stage_out type=file source=$DW_JOB_STRIPED/x destination=%s/x\n"
                    .formatted(closed),
            "echo x > $DW_JOB_STRIPED/x\n");
    slurm.awaitState(refused, state -> state.contains("'" + closed + "' is not accessible"));
    // What an operator does: corrects the directory, and ends the job, which stages out again.
    Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("rwxrwxrwx"));
    admin.endJob(refused, false);
    slurm.awaitState(refused, state -> Files.exists(closed.resolve("x")));
    slurm.asUser("scancel --hurry " + refused);
    ended(running);
    ended(refused);
    assertThat(closed.resolve("x")).hasContent("x");
  }

  @Test
  void jobsWithTheLuaPlugin() throws Exception {
    startSlurm("lua");
    assertThat(slurm.submit("#DW jobdw capacity=1TiB pool=default\n", "true\n"))
        .contains("line 2: capacity 1 TiB is more than pool 'default' has in all; ask for at most");
    String missing =
        slurm.submitted(
            BUFFER.formatted("striped")
                + "#DW stage_in type=file source=%s/nothing destination=$DW_JOB_STRIPED/in\n"
                    .formatted(pfs),
            "true\n");
    Path input = Files.createDirectory(pfs.resolve("input"));
    Files.setPosixFilePermissions(input, PosixFilePermissions.fromString("rwxrwxrwx"));
    Files.writeString(input.resolve("file"), "cached");
    List<String> ids = new ArrayList<>();
    ids.add(
        slurm.submitted(
            CACHE.formatted(input),
            """
            cat $DW_JOB_STRIPED_CACHE/file
            echo new > $DW_JOB_STRIPED_CACHE/new
            """));
    for (int i = 1; i < QUEUED_JOBS; i++) {
      ids.add(slurm.submitted(BUFFER.formatted("striped"), "echo $DW_JOB_STRIPED\n"));
    }
    slurm.awaitState(missing, state -> state.contains("'" + pfs + "/nothing' does not exist"));
    for (String id : ids) ended(id);
    // Not killed: it would forget jobs and buffers that it has not saved, at its own intervals.
    slurm.restart("slurmctld");
    Path foreign = Files.createDirectory(pfs.resolve("foreign"));
    Files.setPosixFilePermissions(foreign, PosixFilePermissions.fromString("rwxr-xr-x"));
    String unwritable = slurm.submitted(CACHE.formatted(foreign), "true\n");
    slurm.awaitState(unwritable, state -> state.contains("may not"));
    slurm.asUser("scancel " + missing + " " + unwritable);
    ended(missing);
    ended(unwritable);
    assertThat(slurm.output(ids.getFirst())).as(slurm.logs()).isEqualTo("cached");
    assertThat(input.resolve("new")).hasContent("new");
    for (String id : ids.subList(1, ids.size())) {
      assertThat(slurm.output(id)).isEqualTo(slurm.directory() + "/mnt/" + id + "/striped/\n");
    }
    assertNothingIsLeft();
  }
}
