// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.profile.count;

import io.forebay.client.profile.Call;
import io.forebay.client.profile.Profile;
import io.forebay.client.profile.ProfileFolder;
import io.forebay.client.profile.ProgramName;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What a program does with an instance through one client, kept in a file when the client is
 * closed: opens, reads, writes, syncs and closes of files. Each handle is a row of accesses. Any
 * thread.
 */
public final class ClientProfile {
  /** Paths of files that were opened last. */
  private static final int PATHS_MAX = 4096;

  private final String instance;
  private final ProfileFolder folder;
  private final long beganMillis;
  private final Profiler profiler;
  private final int program;
  private final int process;
  private final AtomicInteger handles = new AtomicInteger();
  private final Map<Long, String> paths = new LinkedHashMap<>();

  /**
   * Begins to count.
   *
   * @param instance its address
   * @param stripeBytes the unit in which it spreads files
   * @param user of the requests
   */
  public ClientProfile(String instance, long stripeBytes, int user, ProfileFolder folder) {
    this.instance = instance;
    this.folder = folder;
    this.beganMillis = System.currentTimeMillis();
    this.profiler = new Profiler(stripeBytes, false, this::path, System::nanoTime);
    this.program = profiler.program(new ProgramName(user, programName()));
    this.process = (int) ProcessHandle.current().pid();
  }

  /** The class that the JVM was started with, without its package. */
  private static String programName() {
    String command = System.getProperty("sun.java.command", "").split(" ", -1)[0];
    String name = command.substring(command.lastIndexOf('.') + 1);
    return name.isEmpty() ? "java" : name;
  }

  private String path(long file) {
    synchronized (paths) {
      return paths.getOrDefault(file, "(file " + file + ")");
    }
  }

  /** The calls of a new handle. */
  public FileCalls handle(long file, String path) {
    synchronized (paths) {
      if (paths.size() >= PATHS_MAX) paths.remove(paths.keySet().iterator().next());
      paths.put(file, path);
    }
    return new FileCalls(this, file, handles.incrementAndGet());
  }

  long now() {
    return profiler.now();
  }

  void called(Call call, long file, long start) {
    profiler.called(program, call, file, process, start);
  }

  void accessed(Call call, long file, int handle, long offset, long lengthBytes, long start) {
    Profiler.Access access = new Profiler.Access(process, handle, start);
    profiler.accessed(program, call, file, access, offset, lengthBytes);
  }

  /** The client is closed: what was counted is kept, if it did anything with files. */
  public void end() throws IOException {
    Profile profile =
        new Profile(
            instance,
            "",
            process,
            beganMillis,
            System.currentTimeMillis(),
            true,
            profiler.counted(instance));
    if (!profile.programs().isEmpty()) folder.keep(profile);
  }
}
