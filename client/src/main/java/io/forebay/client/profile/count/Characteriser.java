// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.profile.count;

import io.forebay.client.profile.Call;
import io.forebay.client.profile.ProgramName;
import io.forebay.client.profile.ProgramProfile;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Counts what programs do, by program. Its memory is bounded: {@link #PROGRAMS_MAX} programs, of
 * each {@link ProgramCell#FILES_MAX} files, of each {@link FileCell#STREAMS_MAX} streams of reads
 * and of writes. One owner, who sees to it that calls come in the order in which they began.
 */
final class Characteriser {
  /** Further programs are counted together, as the last one. */
  static final int PROGRAMS_MAX = 32;

  private final long stripeBytes;
  private final boolean cut;
  private final LongFunction<String> paths;
  private final @Nullable ProgramCell[] programs = new ProgramCell[PROGRAMS_MAX];

  /**
   * Counts nothing yet.
   *
   * @param stripeBytes the unit in which files are spread over servers
   * @param cut whether the kernel may have cut writes at the ends of pages
   * @param paths the path of a file by its number
   */
  Characteriser(long stripeBytes, boolean cut, LongFunction<String> paths) {
    this.stripeBytes = stripeBytes;
    this.cut = cut;
    this.paths = paths;
  }

  /**
   * A call has ended.
   *
   * @param file 0 for none
   */
  void call(int program, Call call, long file, int process, long nanos) {
    cell(program).call(call.place(), file, process, nanos);
  }

  /** The place of a read or write, besides {@link #call}. */
  void access(int program, long file, Place place) {
    cell(program).access(place, file, cut);
  }

  /** Where an access was, and in which row of accesses. Changed and used again by its owner. */
  static final class Place {
    boolean write;
    int process;
    int stream;
    long offset;
    long lengthBytes;
  }

  private ProgramCell cell(int program) {
    ProgramCell found = programs[program];
    if (found != null) return found;
    ProgramCell made = new ProgramCell(stripeBytes, paths);
    programs[program] = made;
    return made;
  }

  /** The programs that did something, with their users and names. */
  List<ProgramProfile> counted(String instance, List<ProgramName> names) {
    List<ProgramProfile> all = new ArrayList<>();
    for (int i = 0; i < names.size(); i++) {
      ProgramCell cell = programs[i];
      if (cell == null) continue;
      all.add(cell.counted(instance, names.get(i).user(), names.get(i).program()));
    }
    return all;
  }
}
