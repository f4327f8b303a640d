// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.profile.page;

import io.forebay.client.profile.Call;
import io.forebay.client.profile.CallCounts;
import io.forebay.client.profile.Order;
import io.forebay.client.profile.ProgramProfile;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Rules of what helps a program, each with what it is told. */
public enum Advice {
  COLLECTIVE_BUFFERING(
      "Many processes write small pieces into one file. Let some of them write for all: collective"
          + " calls of MPI-IO or of a library on it, with the hint romio_cb_write=enable and a"
          + " cb_buffer_size of whole stripes (docs/netcdf.md)."),
  LOG_DRIVER(
      "If the file is netCDF, the log driver gathers such writes of a process or a node and brings"
          + " them to the file in large ones: burst_buffer=enable (docs/netcdf.md, Writing through a"
          + " log)."),
  STRIPES(
      "Most accesses touch parts of two stripes, so that two servers take part in each. Use"
          + " transfers and collective buffers that are a multiple of the stripe, or an instance"
          + " with other stripes: forebay instance create --stripe (docs/commands.md)."),
  BUNDLES(
      "All processes write several large files in turn. Groups of them can write the files side by"
          + " side: cross-file bundles (docs/bundles.md)."),
  PACKS(
      "It makes many small files. If they are drained, let them be stored together: a drain policy"
          + " with pack=1MiB (docs/backing.md, Many small files)."),
  FEWER_SYNCS(
      "It syncs after every few writes. Put more changes into a transaction (of"
          + " SQLite: BEGIN and COMMIT around them, or journal_mode=WAL), or sync less often."),
  LARGER_WRITES(
      "It writes in a row, in small pieces. A larger buffer in the program helps, or a mount with"
          + " --cache writeback, which gathers them (docs/mount.md)."),
  STAGE_IN(
      "It reads small pieces at random. Have the file in the buffer before: forebay stage in"
          + " (docs/staging.md); a cached mount keeps what is read again."),
  FEWER_NAMES(
      "Most of the time is in metadata: names, opens, attributes. Files of one node only are"
          + " faster in a private tree (docs/mount.md, --private), and fewer, larger files help.");

  static final long SMALL_BYTES = 1 << 20;
  static final long TINY_BYTES = 1 << 16;
  private static final int MANY = 100;
  private static final int SEVERAL = 3;
  private static final int WRITES_OF_A_SYNC = 10;

  /** At least one of so many seconds. */
  private static final int SHARE_OF_SYNCS = 10;

  private final String text;

  Advice(String text) {
    this.text = text;
  }

  /** What follows from what a program did. */
  public static List<Advice> of(ProgramProfile program) {
    List<Advice> all = new ArrayList<>();
    for (Advice each : values()) if (each.applies(program)) all.add(each);
    return all;
  }

  private boolean applies(ProgramProfile program) {
    return switch (this) {
      case COLLECTIVE_BUFFERING, LOG_DRIVER -> sharesSmallPieces(program);
      case STRIPES -> crossesStripes(program);
      case BUNDLES -> writesSharedFiles(program);
      case PACKS -> writesSmallFiles(program);
      case FEWER_SYNCS -> syncsOften(program);
      case LARGER_WRITES -> writesSmallRuns(program);
      case STAGE_IN -> readsAtRandom(program);
      case FEWER_NAMES -> namesTakeTheTime(program);
    };
  }

  /** The name of the rule. */
  public String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  public String text() {
    return text;
  }

  private static boolean sharesSmallPieces(ProgramProfile program) {
    Facts writes = new Facts(program, true);
    return writes.count() >= MANY
        && writes.areShared()
        && writes.areSmall(SMALL_BYTES)
        && writes.skip();
  }

  private static boolean crossesStripes(ProgramProfile program) {
    Facts writes = new Facts(program, true);
    Facts reads = new Facts(program, false);
    return (writes.count() >= SEVERAL && writes.crossStripes())
        || (reads.count() >= SEVERAL && reads.crossStripes());
  }

  private static boolean writesSharedFiles(ProgramProfile program) {
    Facts writes = new Facts(program, true);
    return writes.areShared()
        && writes.sharedFiles() >= SEVERAL
        && program.writes().bytes() / writes.sharedFiles() >= SMALL_BYTES;
  }

  private static boolean writesSmallFiles(ProgramProfile program) {
    long made = program.calls().count(Call.CREATE) - program.calls().count(Call.UNLINK);
    return made >= MANY && program.writes().bytes() / made < SMALL_BYTES;
  }

  private static boolean syncsOften(ProgramProfile program) {
    CallCounts calls = program.calls();
    return calls.count(Call.SYNC) >= SEVERAL
        && calls.nanos(Call.Kind.SYNC) * SHARE_OF_SYNCS >= calls.allNanos()
        && program.writes().count() < WRITES_OF_A_SYNC * calls.count(Call.SYNC);
  }

  private static boolean writesSmallRuns(ProgramProfile program) {
    Facts writes = new Facts(program, true);
    return writes.count() >= MANY
        && writes.areSmall(TINY_BYTES)
        && writes.are(Order.CONSECUTIVE)
        && !syncsOften(program);
  }

  private static boolean readsAtRandom(ProgramProfile program) {
    Facts reads = new Facts(program, false);
    return reads.count() >= MANY && reads.areSmall(SMALL_BYTES) && reads.are(Order.RANDOM);
  }

  private static boolean namesTakeTheTime(ProgramProfile program) {
    return program.calls().count(Call.Kind.METADATA) >= MANY
        && new Facts(program, true).isMostTime(Call.Kind.METADATA);
  }
}
