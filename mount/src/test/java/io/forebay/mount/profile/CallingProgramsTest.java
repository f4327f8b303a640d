// SPDX-License-Identifier: Apache-2.0

package io.forebay.mount.profile;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.client.profile.ProgramName;
import io.forebay.client.profile.count.Profiler;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CallingProgramsTest {
  @TempDir private Path proc;

  private final AtomicLong clock = new AtomicLong();
  private final Profiler profiler = new Profiler(1, false, file -> "", clock::get);

  private void process(int thread, int process, String name) throws IOException {
    Path of = Files.createDirectories(proc.resolve("" + thread));
    Files.writeString(
        of.resolve("status"),
        "Name:\t%s\nUmask:\t0022\nState:\tR (running)\nTgid:\t%d\n".formatted(name, process));
    Files.writeString(of.resolve("comm"), name + "\n");
  }

  private int program(String name) {
    return profiler.program(new ProgramName(1000, name));
  }

  @Test
  void threadsBelongToTheirProcess() throws IOException {
    process(7, 7, "java");
    process(8, 7, "GC Thread#0");
    CallingPrograms programs = new CallingPrograms(profiler, proc, clock::get);
    var expected = new CallingPrograms.Calling(program("java"), 7);
    assertThat(programs.of(7, 1000)).isEqualTo(expected);
    assertThat(programs.of(8, 1000)).isEqualTo(expected);
    assertThat(programs.of(9, 1000).program()).isEqualTo(program(CallingPrograms.UNKNOWN));
  }

  @Test
  void aYoungProcessMayBecomeAnotherProgram() throws IOException {
    CallingPrograms programs = new CallingPrograms(profiler, proc, clock::get);
    process(7, 7, "bash");
    assertThat(programs.of(7, 1000).program()).isEqualTo(program("bash"));
    process(7, 7, "sqlite3");
    assertThat(programs.of(7, 1000).program()).isEqualTo(program("bash"));
    assertThat(programs.now(7, 1000).program()).isEqualTo(program("sqlite3"));
    // It is read less and less often, and always in the end.
    for (int i = 0; i < 10; i++) {
      clock.addAndGet(TimeUnit.SECONDS.toNanos(2));
      programs.of(7, 1000);
    }
    process(7, 7, "awk");
    assertThat(programs.now(7, 1000).program()).isEqualTo(program("sqlite3"));
    clock.addAndGet(TimeUnit.SECONDS.toNanos(2));
    assertThat(programs.of(7, 1000).program()).isEqualTo(program("awk"));
    // After its end it is still the same.
    Files.delete(proc.resolve("7/status"));
    clock.addAndGet(TimeUnit.SECONDS.toNanos(2));
    assertThat(programs.of(7, 1000)).isEqualTo(new CallingPrograms.Calling(program("awk"), 7));
  }
}
