// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf;

import io.forebay.netcdf.RequestQueue.Posted;
import io.forebay.netcdf.agreement.Agreement;
import io.forebay.netcdf.data.Values;
import io.forebay.netcdf.driver.Driver;
import io.forebay.netcdf.driver.Meter;
import io.forebay.netcdf.driver.Transfer;
import io.forebay.netcdf.format.Header;
import io.forebay.netcdf.format.NetcdfError;
import io.forebay.netcdf.format.NetcdfException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Carries out requests on one file in data mode, and keeps the number of its records: this rank's
 * own count, and the count that all ranks agreed on. One thread at a time.
 */
final class FileData {
  /** Records, writes and reads. */
  private static final int MEETING_NUMBERS = 3;

  private final Agreement agreement;
  private final Driver driver;
  private final Meter meter;
  private Header header;

  /** The number of records that this rank knows; other ranks may know more. */
  private long recordCount;

  /** The number of records that the driver knows; the same on all ranks. */
  private long agreedRecords;

  FileData(Agreement agreement, Driver driver, Meter meter, Header header) {
    this.agreement = agreement;
    this.driver = driver;
    this.meter = meter;
    this.header = header;
    recordCount = header.recordCount();
    agreedRecords = recordCount;
  }

  /** The definitions, with this rank's count of records. */
  Header header() {
    return header.withRecordCount(recordCount);
  }

  long agreedRecords() {
    return agreedRecords;
  }

  /** There are new definitions. */
  void define(Header defined) {
    header = defined;
  }

  /** A valid request, or an error. */
  RequestCheck.Checked checked(
      VariableId variable, Selection selection, Values values, boolean write)
      throws NetcdfException {
    return new RequestCheck(header, recordCount, write).check(variable, selection, values);
  }

  /** Carries out what all ranks ask for together, writes before reads. */
  void doAll(List<Posted> requests, @Nullable NetcdfException problem) throws IOException {
    List<Transfer> puts = transfers(requests, true);
    List<Transfer> gets = transfers(requests, false);
    long start = meter.nanos();
    Meeting meeting = meet(problem, puts, gets.size());
    boolean anyPuts = meeting.anyPuts;
    boolean anyGets = meeting.anyGets;
    boolean[] fit = {true};
    IOException failure = null;
    if (anyPuts) failure = attempt(() -> fit[0] &= driver.putAll(puts, meeting.plans));
    // The last step needs no exchange of its own: the final one also covers values out of range.
    if (anyPuts && (anyGets || meeting.records != agreedRecords)) agreement.reach(failure);
    adoptRecords(meeting.records);
    if (anyPuts) meter.addSince(Meter.Quantity.PUT_NANOS, start);
    if (anyGets) failure = attempt(() -> fit[0] &= driver.get(gets, true));
    if (failure == null) {
      for (Posted posted : requests) posted.checked().afterRead().run();
      if (!fit[0]) failure = outOfRange();
    }
    agreement.reach(failure);
  }

  /** What ranks exchange before a collective write or read. */
  private static final class Meeting {
    /** How many records there will be. */
    final long records;

    final boolean anyPuts;
    final boolean anyGets;

    /** The plans of all ranks, for the driver. */
    final long[] plans;

    Meeting(long records, boolean anyPuts, boolean anyGets, long[] plans) {
      this.records = records;
      this.anyPuts = anyPuts;
      this.anyGets = anyGets;
      this.plans = plans;
    }
  }

  /** Exchanges the requests of all ranks, in one step. */
  private Meeting meet(@Nullable NetcdfException problem, List<Transfer> puts, int gets)
      throws NetcdfException {
    long[] plan = driver.plan(puts);
    long[] told = new long[MEETING_NUMBERS + plan.length];
    told[0] = recordsAfter(puts);
    told[1] = puts.size();
    told[2] = gets;
    System.arraycopy(plan, 0, told, MEETING_NUMBERS, plan.length);
    long[] heard = agreement.gather(problem, told);
    int ranks = heard.length / told.length;
    long[] plans = new long[ranks * plan.length];
    long[] highest = new long[MEETING_NUMBERS];
    for (int rank = 0; rank < ranks; rank++) {
      int from = rank * told.length;
      for (int i = 0; i < MEETING_NUMBERS; i++) highest[i] = Math.max(highest[i], heard[from + i]);
      System.arraycopy(heard, from + MEETING_NUMBERS, plans, rank * plan.length, plan.length);
    }
    return new Meeting(highest[0], highest[1] > 0, highest[2] > 0, plans);
  }

  /**
   * Carries out the writes of one collective call. Where the driver lets each rank write on its
   * own, nothing is agreed on: this rank sees only its own errors.
   */
  void putAll(List<Posted> requests, @Nullable NetcdfException problem) throws IOException {
    if (driver.agreesOnPuts()) {
      doAll(requests, problem);
      return;
    }
    List<Transfer> puts = transfers(requests, true);
    long start = meter.nanos();
    // Called even without requests: the driver counts calls.
    boolean fit = driver.put(puts, true);
    recordCount = Math.max(recordCount, recordsAfter(puts));
    meter.addSince(Meter.Quantity.PUT_NANOS, start);
    if (problem != null) throw problem;
    if (!fit) throw outOfRange();
  }

  /** Carries out independent requests of this rank. */
  void doAlone(List<Posted> requests) throws IOException {
    List<Transfer> puts = transfers(requests, true);
    List<Transfer> gets = transfers(requests, false);
    long start = meter.nanos();
    boolean fit = puts.isEmpty() || driver.put(puts, false);
    if (!puts.isEmpty()) meter.addSince(Meter.Quantity.PUT_NANOS, start);
    recordCount = Math.max(recordCount, recordsAfter(puts));
    if (!gets.isEmpty()) fit &= driver.get(gets, false);
    for (Posted posted : requests) posted.checked().afterRead().run();
    if (!fit) throw outOfRange();
  }

  private static List<Transfer> transfers(List<Posted> requests, boolean write) {
    List<Transfer> transfers = new ArrayList<>();
    for (Posted posted : requests) {
      boolean any = !posted.checked().transfer().parts().isEmpty();
      if (posted.write() == write && any) transfers.add(posted.checked().transfer());
    }
    return transfers;
  }

  private long recordsAfter(List<Transfer> puts) {
    RequestCheck check = new RequestCheck(header, recordCount, true);
    long records = recordCount;
    for (Transfer put : puts) records = Math.max(records, check.recordsAfter(put));
    return records;
  }

  private static NetcdfException outOfRange() {
    return new NetcdfException(
        NetcdfError.OUT_OF_RANGE, "values that do not fit their new type became fill values");
  }

  /** Memory for the selection, of the variable's type. */
  Values room(VariableId variable, Selection selection) throws NetcdfException {
    return new RequestCheck(header, recordCount, false).room(variable, selection);
  }

  /** Fills a record on all ranks, unless one of them has a problem. */
  void fillRecord(VariableId variable, long record, @Nullable NetcdfException problem)
      throws IOException {
    agree(problem);
    together(() -> driver.fill(variable.index(), record, 1));
    adoptRecords(Math.max(recordCount, record + 1));
  }

  /** Why a record of a variable cannot be filled; null if it can. */
  @Nullable NetcdfException fillProblem(VariableId id, long record) {
    if (id.index() < 0 || id.index() >= header.variables().size()) {
      return new NetcdfException(NetcdfError.NOT_FOUND, "no variable " + id);
    }
    boolean records = header.isRecord(header.variables().get(id.index()));
    if (!records || record < 0 || record >= header.format().recordsMax()) {
      return new NetcdfException(NetcdfError.OUT_OF_BOUNDS, "no record " + record + " to fill");
    }
    return null;
  }

  /** Agrees on whether all ranks can continue, and on the number of records. */
  void agree(@Nullable NetcdfException problem) throws IOException {
    adoptRecords(agreement.reach(problem, recordCount)[0]);
  }

  private void adoptRecords(long agreed) throws IOException {
    recordCount = agreed;
    if (agreed == agreedRecords) return;
    agreedRecords = agreed;
    together(() -> driver.recordCount(agreed));
  }

  /** Part of a collective call. */
  interface Step {
    void run() throws IOException;
  }

  /** Does a part of a collective call, and throws on all ranks if it failed on one. */
  void together(Step step) throws IOException {
    agreement.reach(attempt(step));
  }

  /** Runs a step; returns its failure, or null. */
  private static @Nullable IOException attempt(Step step) {
    try {
      step.run();
      return null;
    } catch (IOException e) {
      return e;
    }
  }
}
