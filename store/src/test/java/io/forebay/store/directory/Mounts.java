// SPDX-License-Identifier: Apache-2.0

package io.forebay.store.directory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;

/** What a test has mounted, to be unmounted at its end. Skips the test where that is forbidden. */
final class Mounts implements AutoCloseable {
  private final Deque<Path> mounted = new ArrayDeque<>();

  /** Gives a directory so much memory and no more. */
  void tmpfs(Path directory, long bytes) {
    mount(directory, "-t", "tmpfs", "-o", "size=" + bytes, "tmpfs", directory.toString());
  }

  /** Lets nobody write below a directory, not even root. */
  void readOnly(Path directory) {
    mount(directory, "--bind", directory.toString(), directory.toString());
    assertThat(run("mount", "-o", "remount,ro,bind", directory.toString())).isTrue();
  }

  @Override
  public void close() {
    for (Path directory : mounted) assertThat(run("umount", directory.toString())).isTrue();
  }

  private void mount(Path directory, String... arguments) {
    String[] command = new String[arguments.length + 1];
    command[0] = "mount";
    System.arraycopy(arguments, 0, command, 1, arguments.length);
    assumeTrue(run(command), "needs the right to mount: run the suite as root");
    mounted.push(directory);
  }

  private static boolean run(String... command) {
    try {
      return new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start()
              .onExit()
              .join()
              .exitValue()
          == 0;
    } catch (IOException noSuchCommand) {
      return false;
    }
  }
}
