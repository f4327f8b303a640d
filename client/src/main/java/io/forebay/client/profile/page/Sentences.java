// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.profile.page;

import io.forebay.client.profile.AccessCounts;
import io.forebay.client.profile.Call;
import io.forebay.client.profile.CallCounts;
import io.forebay.client.profile.CommonValue;
import io.forebay.client.profile.Order;
import io.forebay.client.profile.ProgramProfile;
import java.util.ArrayList;
import java.util.List;

/** What a program did, in sentences. Any thread. */
public final class Sentences {
  private static final int TENTH = 10;

  private Sentences() {}

  public static List<String> of(ProgramProfile program) {
    List<String> sentences = new ArrayList<>();
    sentences.add(summary(program));
    for (boolean write : List.of(true, false)) {
      Facts facts = new Facts(program, write);
      if (facts.count() > 0) sentences.add(accesses(facts));
    }
    CallCounts calls = program.calls();
    if (calls.allNanos() > 0) sentences.add(times(calls));
    return sentences;
  }

  private static String summary(ProgramProfile program) {
    return "%s of user %d: %s, %s; %s written and %s read in %s of calls."
        .formatted(
            program.program(),
            program.user(),
            Figures.counted(program.processes().size(), "process"),
            Figures.counted(program.filesSeen(), "file"),
            Figures.size(program.writes().bytes()),
            Figures.size(program.reads().bytes()),
            Figures.time(program.calls().allNanos()));
  }

  /** Such as: 95 % of the 640 writes are 47,008 bytes, unaligned, strided, into one shared file. */
  private static String accesses(Facts facts) {
    String noun = facts.write() ? "write" : "read";
    CommonValue size = facts.commonSize();
    String subject =
        facts.count() == 1
            ? "The one " + noun + " is "
            : size == null
                ? "The " + Figures.number(facts.count()) + " " + noun + "s are "
                : Figures.percent(size.count(), facts.count())
                    + " of the "
                    + Figures.counted(facts.count(), noun)
                    + " are ";
    List<String> parts = new ArrayList<>();
    parts.add(size == null ? sizes(facts.accesses()) : Figures.exactSize(size.value()));
    if (facts.areUnaligned()) parts.add("unaligned");
    else if (facts.areAligned()) parts.add("aligned to 4 KiB");
    if (facts.crossStripes()) {
      parts.add("across stripes of " + Figures.size(facts.program().stripeBytes()));
    }
    String order = order(facts);
    String where = where(facts);
    parts.add(order.isEmpty() ? where : order + " " + where);
    return subject + String.join(", ", parts) + ".";
  }

  /** From the first tenth to the last one. */
  private static String sizes(AccessCounts accesses) {
    long from = bound(accesses, accesses.count() / TENTH);
    long to = bound(accesses, accesses.count() - 1 - accesses.count() / TENTH);
    if (to == 0) return "empty";
    // A bucket goes up to twice its first size.
    return from == 0
        ? "up to " + Figures.exactSize(2 * to)
        : "from " + Figures.exactSize(from) + " to " + Figures.exactSize(2 * to);
  }

  private static long bound(AccessCounts accesses, long rank) {
    long before = 0;
    for (int i = 0; i < accesses.buckets().size(); i++) {
      before += accesses.buckets().get(i);
      if (before > rank) return AccessCounts.bucketBytesMin(i);
    }
    return 0;
  }

  private static String order(Facts facts) {
    if (facts.count() < 2) return "";
    for (Order order : Order.values()) {
      if (order != Order.FIRST && facts.are(order)) return order.word();
    }
    AccessCounts accesses = facts.accesses();
    if (accesses.of(Order.FIRST) == facts.count()) return "one for each file and process";
    return "in mixed order";
  }

  private static String where(Facts facts) {
    String direction = facts.write() ? "into" : "from";
    int sharers = facts.sharers();
    if (facts.areShared()) {
      String files =
          facts.sharedFiles() == 1
              ? "one shared file"
              : Figures.number(facts.sharedFiles()) + " shared files";
      return direction + " " + files + " by " + Figures.counted(sharers, "process");
    }
    long files = facts.accessedFiles();
    if (files <= 1) return direction + " one file";
    boolean more = facts.program().filesSeen() > facts.program().files().size();
    if (more) files = facts.program().filesSeen();
    String own = facts.program().processes().size() > 1 ? " that no processes share" : "";
    return direction + (more ? " about " : " ") + Figures.counted(files, "file") + own;
  }

  private static String times(CallCounts calls) {
    Call.Kind most = Call.Kind.READ;
    for (Call.Kind kind : Call.Kind.values()) {
      if (calls.nanos(kind) > calls.nanos(most)) most = kind;
    }
    long count = calls.count(most);
    return "%s of the time of all calls is in %s: %s, %s each."
        .formatted(
            Figures.percent(calls.nanos(most), calls.allNanos()),
            most.word(),
            Figures.counted(count, "call"),
            Figures.time(calls.nanos(most) / Math.max(1, count)));
  }
}
