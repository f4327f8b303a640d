// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.profile;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What a program of a user did with an instance.
 *
 * @param instance the address of the instance
 * @param program its name, as of /proc/PID/comm
 * @param processes the processes that ran it, up to {@link #PROCESSES_MAX}
 * @param reads of all files together
 * @param stripeBytes the unit that stripes are counted in
 * @param filesSeen how many files it opened, at least
 * @param files those with the most bytes, the largest first
 */
public record ProgramProfile(
    String instance,
    int user,
    String program,
    List<Integer> processes,
    long stripeBytes,
    AccessCounts reads,
    AccessCounts writes,
    CallCounts calls,
    long filesSeen,
    List<FileProfile> files) {
  public static final int PROCESSES_MAX = 1024;

  public ProgramProfile {
    processes = List.copyOf(processes);
    files = List.copyOf(files);
  }

  public long bytes() {
    return reads.bytes() + writes.bytes();
  }

  boolean isSameAs(ProgramProfile other) {
    return instance.equals(other.instance) && user == other.user && program.equals(other.program);
  }

  /** Of another mount of the same instance. */
  ProgramProfile plus(ProgramProfile other) {
    Map<Long, FileProfile> byNumber = new LinkedHashMap<>();
    for (FileProfile file : files) byNumber.put(file.number(), file);
    for (FileProfile file : other.files) byNumber.merge(file.number(), file, FileProfile::plus);
    List<FileProfile> all = new ArrayList<>(byNumber.values());
    all.sort(Comparator.comparingLong(FileProfile::bytes).reversed());
    return new ProgramProfile(
        instance,
        user,
        program,
        union(processes, other.processes),
        stripeBytes,
        reads.plus(other.reads),
        writes.plus(other.writes),
        calls.plus(other.calls),
        Math.max(Math.max(filesSeen, other.filesSeen), all.size()),
        all);
  }

  /** The numbers of both lists, each once. */
  public static List<Integer> union(List<Integer> first, List<Integer> second) {
    Set<Integer> all = new LinkedHashSet<>(first);
    all.addAll(second);
    return new ArrayList<>(all);
  }
}
