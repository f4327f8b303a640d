package io.forebay.netcdf;

import io.forebay.netcdf.data.Values;
import io.forebay.netcdf.driver.Driver;
import io.forebay.netcdf.driver.Meter;
import io.forebay.netcdf.driver.Transfer;
import io.forebay.netcdf.format.Attribute;
import io.forebay.netcdf.format.Dimension;
import io.forebay.netcdf.format.ElementType;
import io.forebay.netcdf.format.Format;
import io.forebay.netcdf.format.Header;
import io.forebay.netcdf.format.HeaderWriter;
import io.forebay.netcdf.format.Layout;
import io.forebay.netcdf.format.NetcdfError;
import io.forebay.netcdf.format.NetcdfException;
import io.forebay.parallel.Group;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * A netCDF file that all ranks of a group have open together.
 *
 * <p>In <em>define mode</em> dimensions, variables and attributes are defined, the same ones by all
 * ranks; {@link #endDefine} writes them and begins <em>data mode</em>, in which variables are
 * written and read; {@link #redefine} goes back. A new file begins in define mode, an opened one in
 * data mode.
 *
 * <p>Calls whose names end in {@code All}, and those on the whole file, are collective: every rank
 * makes them, in the same order, a rank without data with {@link Selection#none}. If such a call
 * fails on one rank it fails on all of them, with the same error. {@link #put}, {@link #get} and
 * {@link #waitFor} are for one rank by itself; what it writes is seen by others after {@link
 * #sync}. Unwritten elements are zeros unless filling was asked for.
 */
public final class NetcdfFile implements AutoCloseable {
  /** More requests than this may not be pending. */
  public static final int PENDING_MAX = 1 << 20;

  private enum State {
    DEFINE,
    DATA,
    CLOSED
  }

  /** A request that was posted and is not done. */
  private record Posted(RequestCheck.Checked checked, boolean write) {}

  private final Agreement agreement;
  private final Driver driver;
  private final Meter meter;
  private final long headerAlignmentBytes;
  private final boolean writable;
  private final Map<Pending, Posted> pending = new LinkedHashMap<>();
  private long lastPending;
  private Header header;
  private @Nullable Definitions definitions;
  private State state;

  /** How many records this rank knows of; others may know of more. */
  private long recordCount;

  /** How many records the driver was told of; the same on all ranks. */
  private long agreedRecords;

  NetcdfFile(
      Group group,
      Driver driver,
      Meter meter,
      Header header,
      long headerAlignmentBytes,
      boolean writable,
      boolean isNew) {
    agreement = new Agreement(group);
    this.driver = driver;
    this.meter = meter;
    this.header = header;
    this.headerAlignmentBytes = headerAlignmentBytes;
    this.writable = writable;
    recordCount = header.recordCount();
    agreedRecords = recordCount;
    state = isNew ? State.DEFINE : State.DATA;
    definitions = isNew ? new Definitions(header) : null;
  }

  /** Creates a file; collective. The environment may add settings, see {@link Hints}. */
  public static NetcdfFile create(
      Group group, String name, Format format, CreateMode mode, Hints hints) throws IOException {
    return NetcdfFiles.standard().create(group, name, format, mode, hints);
  }

  /** Opens a file; collective. */
  public static NetcdfFile open(Group group, String name, OpenMode mode, Hints hints)
      throws IOException {
    return NetcdfFiles.standard().open(group, name, mode, hints);
  }

  /** Everything that is defined, with the number of records that this rank knows of. */
  public Header header() {
    return header.withRecordCount(recordCount);
  }

  /** What this rank has done so far; also known after the file was closed. */
  public Statistics statistics() {
    return Statistics.of(meter);
  }

  /** Defines a dimension; {@link Dimension#UNLIMITED} for the one that grows. */
  public DimensionId defineDimension(String name, long length) throws NetcdfException {
    return defining().dimension(name, length);
  }

  public VariableId defineVariable(String name, ElementType type, DimensionId... along)
      throws NetcdfException {
    return defining().variable(name, type, List.of(along));
  }

  /** Puts an attribute on the file, in place of one with the same name. */
  public void putAttribute(Attribute attribute) throws NetcdfException {
    defining().attribute(attribute);
  }

  /** The same on a variable. */
  public void putAttribute(VariableId variable, Attribute attribute) throws NetcdfException {
    defining().attribute(variable, attribute);
  }

  public void deleteAttribute(String name) throws NetcdfException {
    defining().deleteAttribute(name);
  }

  public void deleteAttribute(VariableId variable, String name) throws NetcdfException {
    defining().deleteAttribute(variable, name);
  }

  public void renameVariable(VariableId variable, String name) throws NetcdfException {
    defining().rename(variable, name);
  }

  /**
   * Whether a new variable holds fill values when define mode ends, in the records too that there
   * are then; see {@link #fillRecord} for those that come later.
   */
  public void defineFill(VariableId variable, boolean fill) throws NetcdfException {
    defining().fill(variable, fill);
  }

  private Definitions defining() throws NetcdfException {
    if (state != State.DEFINE || definitions == null) {
      throw new NetcdfException(NetcdfError.WRONG_MODE, "definitions are made in define mode");
    }
    return definitions;
  }

  /** Writes the definitions and begins data mode; collective. */
  public void endDefine() throws IOException {
    Header placed = header;
    List<Integer> filled = List.of();
    IOException failure = null;
    long mark = 0;
    try {
      Definitions defined = defining();
      placed = Layout.place(defined.header().withRecordCount(agreedRecords), headerAlignmentBytes);
      filled = defined.toFill(placed);
      mark = checksum(placed);
    } catch (NetcdfException e) {
      failure = e;
    }
    requireSame(agreement.reach(failure, mark, -mark));
    header = placed;
    definitions = null;
    state = State.DATA;
    Header defined = placed;
    together(() -> driver.define(defined));
    List<Integer> toFill = filled;
    together(
        () -> {
          for (int number : toFill) {
            boolean records = defined.isRecord(defined.variables().get(number));
            driver.fill(number, 0, records ? defined.recordCount() : 1);
          }
        });
  }

  private static long checksum(Header header) {
    CRC32C checksum = new CRC32C();
    checksum.update(HeaderWriter.write(header));
    return checksum.getValue();
  }

  private static void requireSame(long[] highest) throws NetcdfException {
    if (highest[0] != -highest[1]) {
      throw new NetcdfException(NetcdfError.RANKS_DIFFER, "ranks made different definitions");
    }
  }

  /** Begins define mode again; collective. Data may move when it ends. */
  public void redefine() throws IOException {
    agree(writeProblem());
    together(driver::flush);
    header = header.withRecordCount(recordCount);
    definitions = new Definitions(header);
    state = State.DEFINE;
  }

  /** The variable of that name. */
  public VariableId variable(String name) throws NetcdfException {
    Header known = definitions == null ? header : definitions.header();
    int index = known.variableNamed(name);
    if (index < 0) throw new NetcdfException(NetcdfError.NOT_FOUND, "no variable '" + name + "'");
    return new VariableId(index);
  }

  /** The dimension of that name. */
  public DimensionId dimension(String name) throws NetcdfException {
    Header known = definitions == null ? header : definitions.header();
    int index = known.dimensionNamed(name);
    if (index < 0) throw new NetcdfException(NetcdfError.NOT_FOUND, "no dimension '" + name + "'");
    return new DimensionId(index);
  }

  /** Writes; collective. */
  public void putAll(VariableId variable, Selection selection, Values values) throws IOException {
    NetcdfException problem = writeProblem();
    List<Posted> requests = List.of();
    if (problem == null) {
      try {
        requests = List.of(new Posted(checked(variable, selection, values, true), true));
      } catch (NetcdfException e) {
        problem = e;
      }
    }
    doAll(requests, problem);
  }

  /** Reads; collective. */
  public void getAll(VariableId variable, Selection selection, Values values) throws IOException {
    // Others may know of records that this rank asks for.
    agree(dataProblem());
    List<Posted> requests = List.of();
    NetcdfException problem = null;
    try {
      requests = List.of(new Posted(checked(variable, selection, values, false), false));
    } catch (NetcdfException e) {
      problem = e;
    }
    doAll(requests, problem);
  }

  /** Writes, by this rank alone. */
  public void put(VariableId variable, Selection selection, Values values) throws IOException {
    throwIf(writeProblem());
    doAlone(List.of(new Posted(checked(variable, selection, values, true), true)));
  }

  /** Reads, by this rank alone. */
  public void get(VariableId variable, Selection selection, Values values) throws IOException {
    throwIf(dataProblem());
    doAlone(List.of(new Posted(checked(variable, selection, values, false), false)));
  }

  /** Posts a write that {@link #waitAll} or {@link #waitFor} carries out. */
  public Pending postPut(VariableId variable, Selection selection, Values values)
      throws IOException {
    throwIf(writeProblem());
    return post(new Posted(checked(variable, selection, values, true), true));
  }

  /** Posts a read. */
  public Pending postGet(VariableId variable, Selection selection, Values values)
      throws IOException {
    throwIf(dataProblem());
    return post(new Posted(checked(variable, selection, values, false), false));
  }

  private Pending post(Posted posted) throws NetcdfException {
    if (pending.size() >= PENDING_MAX) {
      throw new NetcdfException(
          NetcdfError.TOO_MUCH_PENDING, "more than " + PENDING_MAX + " requests are pending");
    }
    Pending handle = new Pending(++lastPending);
    pending.put(handle, posted);
    return handle;
  }

  /** Carries out all that this and other ranks posted, writes before reads; collective. */
  public void waitAll() throws IOException {
    List<Posted> requests = new ArrayList<>(pending.values());
    pending.clear();
    doAll(requests, requests.isEmpty() ? dataProblem() : null);
  }

  /** Carries out some of what was posted, writes before reads, by this rank alone. */
  public void waitFor(Collection<Pending> handles) throws IOException {
    List<Posted> requests = new ArrayList<>();
    for (Pending handle : handles) {
      Posted posted = pending.remove(handle);
      if (posted == null) {
        throw new NetcdfException(NetcdfError.NOT_FOUND, "request " + handle + " is not pending");
      }
      requests.add(posted);
    }
    doAlone(requests);
  }

  /** Forgets a posted request; its memory is the caller's again. */
  public void cancel(Pending handle) {
    pending.remove(handle);
  }

  private RequestCheck.Checked checked(
      VariableId variable, Selection selection, Values values, boolean write)
      throws NetcdfException {
    return new RequestCheck(header, recordCount, write).check(variable, selection, values);
  }

  private void doAll(List<Posted> requests, @Nullable NetcdfException problem) throws IOException {
    List<Transfer> puts = transfers(requests, true);
    List<Transfer> gets = transfers(requests, false);
    long start = meter.nanos();
    long[] highest = agreement.reach(problem, recordsAfter(puts), puts.size(), gets.size());
    boolean[] fit = {true};
    if (highest[1] > 0) together(() -> fit[0] &= driver.put(puts, true));
    adoptRecords(highest[0]);
    if (highest[1] > 0) meter.addSince(Meter.Quantity.PUT_NANOS, start);
    if (highest[2] > 0) together(() -> fit[0] &= driver.get(gets, true));
    for (Posted posted : requests) posted.checked.afterRead().run();
    agreement.reach(fit[0] ? null : outOfRange());
  }

  private void doAlone(List<Posted> requests) throws IOException {
    List<Transfer> puts = transfers(requests, true);
    List<Transfer> gets = transfers(requests, false);
    long start = meter.nanos();
    boolean fit = puts.isEmpty() || driver.put(puts, false);
    if (!puts.isEmpty()) meter.addSince(Meter.Quantity.PUT_NANOS, start);
    recordCount = Math.max(recordCount, recordsAfter(puts));
    if (!gets.isEmpty()) fit &= driver.get(gets, false);
    for (Posted posted : requests) posted.checked.afterRead().run();
    if (!fit) throw outOfRange();
  }

  private static List<Transfer> transfers(List<Posted> requests, boolean write) {
    List<Transfer> transfers = new ArrayList<>();
    for (Posted posted : requests) {
      boolean any = !posted.checked.transfer().parts().isEmpty();
      if (posted.write == write && any) transfers.add(posted.checked.transfer());
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

  /** Fills one record of a variable; collective. The record may be new. */
  public void fillRecord(VariableId variable, long record) throws IOException {
    NetcdfException problem = writeProblem();
    if (problem == null) problem = fillProblem(variable, record);
    agree(problem);
    together(() -> driver.fill(variable.index(), record, 1));
    adoptRecords(Math.max(recordCount, record + 1));
  }

  private @Nullable NetcdfException fillProblem(VariableId id, long record) {
    if (id.index() < 0 || id.index() >= header.variables().size()) {
      return new NetcdfException(NetcdfError.NOT_FOUND, "no variable " + id);
    }
    boolean records = header.isRecord(header.variables().get(id.index()));
    if (!records || record < 0 || record >= header.format().recordsMax()) {
      return new NetcdfException(NetcdfError.OUT_OF_BOUNDS, "no record " + record + " to fill");
    }
    return null;
  }

  /** Makes every rank know of all records that were written; collective. */
  public void syncRecords() throws IOException {
    agree(dataProblem());
  }

  /** Brings everything that was written into the file; collective. */
  public void flush() throws IOException {
    agree(dataProblem());
    together(driver::flush);
  }

  /** Brings everything that was written onto stable storage, seen by all; collective. */
  public void sync() throws IOException {
    agree(dataProblem());
    if (writable) together(driver::sync);
  }

  /** Ends; collective. What is pending is forgotten; define mode ends first. */
  @Override
  public void close() throws IOException {
    if (state == State.CLOSED) return;
    if (state == State.DEFINE) endDefine();
    agree(null);
    pending.clear();
    state = State.CLOSED;
    together(driver::close);
  }

  /** Agrees on whether all can go on, and on how many records there are. */
  private void agree(@Nullable NetcdfException problem) throws IOException {
    adoptRecords(agreement.reach(problem, recordCount)[0]);
  }

  private void adoptRecords(long agreed) throws IOException {
    recordCount = agreed;
    if (agreed == agreedRecords) return;
    agreedRecords = agreed;
    together(() -> driver.recordCount(agreed));
  }

  /** Part of a collective call. */
  private interface Step {
    void run() throws IOException;
  }

  private void together(Step step) throws IOException {
    IOException failure = null;
    try {
      step.run();
    } catch (IOException e) {
      failure = e;
    }
    agreement.reach(failure);
  }

  private @Nullable NetcdfException dataProblem() {
    return state == State.DATA
        ? null
        : new NetcdfException(
            NetcdfError.WRONG_MODE,
            state == State.CLOSED ? "the file is closed" : "define mode has not ended");
  }

  private @Nullable NetcdfException writeProblem() {
    if (state == State.DATA && !writable) {
      return new NetcdfException(NetcdfError.WRONG_MODE, "the file is open for reading only");
    }
    return dataProblem();
  }

  private static void throwIf(@Nullable NetcdfException problem) throws NetcdfException {
    if (problem != null) throw problem;
  }
}
