// SPDX-License-Identifier: Apache-2.0

package io.forebay.job.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What burst_buffer.lua makes of the calls of old and new versions of Slurm. */
class LuaScriptTest {
  private static final Path LUA = Path.of("/usr/bin/lua5.1");
  private static final String SCRIPT = "src/main/slurm/burst_buffer.lua";

  @TempDir private Path folder;

  @BeforeEach
  void makePrograms() throws IOException {
    assumeTrue(Files.isExecutable(LUA), "needs lua5.1: run dev/optional-packages");
    // It prints its arguments, each in brackets.
    program("dw_wlm_cli", "printf '[%s]' \"$@\"; echo");
    program("dwstat", "printf '[%s]' dwstat \"$@\"; echo");
    program("squeue", "echo 'n[1-2]'");
    program("scontrol", "[ \"$3\" = 'n[1-2]' ] && echo n1 && echo n2");
  }

  private void program(String name, String text) throws IOException {
    Path file = folder.resolve(name);
    Files.writeString(file, "#!/bin/sh\n" + text + "\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private String call(String version, String function, String... words)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.addAll(List.of(LUA.toString(), "src/test/lua/calls.lua", SCRIPT, version, function));
    command.addAll(List.of(words));
    Path out = folder.resolve("out");
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(out.toFile());
    builder.environment().merge("PATH", folder + ":", (path, first) -> first + path);
    builder.start().waitFor();
    return Files.readString(out);
  }

  @Test
  void aFunctionThatSucceedsReturnsNoText() throws IOException, InterruptedException {
    assertThat(call("old", "slurm_bb_job_process", "/script")).isEqualTo("0\tnil\n");
    assertThat(call("new", "slurm_bb_job_process", "/script", "1", "2")).isEqualTo("0\tnil\n");
  }

  @Test
  void aFailureReturnsTheSentence() throws IOException, InterruptedException {
    program("dw_wlm_cli", "echo \"line 2: $4\" >&2; exit 1");
    assertThat(call("old", "slurm_bb_job_process", "/it's $HOME; \"x\""))
        .isEqualTo("-1\tline 2: /it's $HOME; \"x\"\n");
  }

  @Test
  void aMissingProgramIsAFailure() throws IOException, InterruptedException {
    Files.delete(folder.resolve("dw_wlm_cli"));
    assertThat(call("old", "slurm_bb_pools")).startsWith("-1\t").contains("dw_wlm_cli");
  }

  @Test
  void oldVersionsWaitForStagesAndNewOnesAsk() throws IOException, InterruptedException {
    program("dw_wlm_cli", "echo \"$2\"; exit 1");
    assertThat(call("old", "slurm_bb_data_in", "7", "/script")).isEqualTo("-1\tdata_in\n");
    assertThat(call("new", "slurm_bb_data_in", "7", "/script")).isEqualTo("-1\tstart_data_in\n");
    assertThat(call("old", "slurm_bb_data_out", "7", "/script")).isEqualTo("-1\tdata_out\n");
    assertThat(call("new", "slurm_bb_data_out", "7", "/script")).isEqualTo("-1\tstart_data_out\n");
    program("dw_wlm_cli", "echo BUSY");
    assertThat(call("new", "slurm_bb_test_data_in", "7", "/script")).isEqualTo("0\tBUSY\n");
    assertThat(call("new", "slurm_bb_test_data_out", "7", "/script")).isEqualTo("0\tBUSY\n");
  }

  @Test
  void argumentsAreThoseOfDwWlmCli() throws IOException, InterruptedException {
    program("dw_wlm_cli", "printf '[%s]' \"$@\"; exit 1");
    assertThat(call("old", "slurm_bb_setup", "7", "1000", "100", "ssd", "4096", "/script"))
        .isEqualTo(
            "-1\t[--function][setup][--token][7][--caller][SLURM][--user][1000][--groupid][100]"
                + "[--capacity][ssd:4096][--job][/script]\n");
    assertThat(call("old", "slurm_bb_paths", "7", "/script", "/path"))
        .isEqualTo("-1\t[--function][paths][--job][/script][--token][7][--pathfile][/path]\n");
    assertThat(call("old", "slurm_bb_job_teardown", "7", "/script", "true"))
        .isEqualTo("-1\t[--function][teardown][--token][7][--job][/script][--hurry]\n");
    assertThat(call("old", "slurm_bb_job_teardown", "7", "/script", "false"))
        .isEqualTo("-1\t[--function][teardown][--token][7][--job][/script]\n");
  }

  @Test
  void nodesComeFromSlurm() throws IOException, InterruptedException {
    program("dw_wlm_cli", "shift 6; printf '[%s]' \"$@\"; exit 1");
    assertThat(call("old", "slurm_bb_pre_run", "7", "/script")).isEqualTo("-1\t[--nodes][n1,n2]\n");
    program("squeue", "exit 1");
    assertThat(call("new", "slurm_bb_pre_run", "7", "/script", "1", "2", "NODES=n[1-2]"))
        .isEqualTo("-1\t[--nodes][n1,n2]\n");
    assertThat(call("old", "slurm_bb_pre_run", "7", "/script")).startsWith("-1\t");
  }

  @Test
  void aSizeIsANumber() throws IOException, InterruptedException {
    program("dw_wlm_cli", "echo '{\"units\":\"bytes\",\"capacity\":4096}'");
    assertThat(call("old", "slurm_bb_real_size", "7")).isEqualTo("0\t4096\n");
    program("dw_wlm_cli", "");
    assertThat(call("old", "slurm_bb_real_size", "7")).isEqualTo("0\tnil\n");
  }

  @Test
  void theStatusIsThatOfDwstat() throws IOException, InterruptedException {
    assertThat(call("old", "slurm_bb_get_status", "sessions"))
        .isEqualTo("0\t[dwstat][sessions]\n\n");
    assertThat(call("new", "slurm_bb_get_status", "1000", "100", "sessions"))
        .isEqualTo("0\t[dwstat][sessions]\n\n");
    assertThat(call("new", "slurm_bb_get_status", "1000", "100")).isEqualTo("0\t[dwstat]\n\n");
  }
}
