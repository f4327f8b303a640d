// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf;

import io.forebay.netcdf.RequestQueue.Posted;
import io.forebay.netcdf.agreement.Agreement;
import io.forebay.netcdf.data.Values;
import io.forebay.netcdf.driver.Driver;
import io.forebay.netcdf.driver.Meter;
import io.forebay.netcdf.format.Attribute;
import io.forebay.netcdf.format.Dimension;
import io.forebay.netcdf.format.ElementType;
import io.forebay.netcdf.format.Format;
import io.forebay.netcdf.format.Header;
import io.forebay.netcdf.format.HeaderWriter;
import io.forebay.netcdf.format.Layout;
import io.forebay.netcdf.format.NetcdfError;
import io.forebay.netcdf.format.NetcdfException;
import io.forebay.netcdf.format.Variable;
import io.forebay.parallel.Group;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
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
 * <p>Calls whose names end in {@code All}, and calls on the whole file, are collective: every rank
 * makes them, in the same order, a rank without data with {@link Selection#none}. If such a call
 * fails on one rank it fails on all of them, with the same error. {@link #put}, {@link #get} and
 * {@link #waitFor} are independent calls of one rank; other ranks see its writes after {@link
 * #sync}. Unwritten elements are zeros unless filling was requested.
 */
public final class NetcdfFile implements AutoCloseable {
  /** The maximum number of pending requests. */
  public static final int PENDING_MAX = 1 << 20;

  private enum State {
    DEFINE,
    DATA,
    CLOSED
  }

  /** What all ranks have opened together. */
  record Opened(Group group, Driver driver, Meter meter, Header header) {}

  private final Agreement agreement;
  private final Driver driver;
  private final Meter meter;
  private final FileData data;
  private final long headerAlignmentBytes;
  private final boolean writable;
  private final RequestQueue queue = new RequestQueue(PENDING_MAX);
  private @Nullable Definitions definitions;
  private State state;

  NetcdfFile(Opened opened, long headerAlignmentBytes, boolean writable, boolean isNew) {
    agreement = new Agreement(opened.group);
    driver = opened.driver;
    meter = opened.meter;
    data = new FileData(agreement, driver, meter, opened.header);
    this.headerAlignmentBytes = headerAlignmentBytes;
    this.writable = writable;
    state = isNew ? State.DEFINE : State.DATA;
    definitions = isNew ? new Definitions(opened.header) : null;
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

  /** Everything that is defined, with the number of records that this rank knows. */
  public Header header() {
    return data.header();
  }

  /** The counts and times of this rank so far; available even after the file was closed. */
  public Statistics statistics() {
    return Statistics.of(meter);
  }

  /** Defines a dimension; {@link Dimension#UNLIMITED} for the record dimension. */
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

  /** Puts all attributes of another file on this one. */
  public void copyAttributes(NetcdfFile source) throws NetcdfException {
    for (Attribute attribute : source.known().attributes()) putAttribute(attribute);
  }

  /** Puts all attributes of a variable, of this or another file, on one of this file. */
  public void copyAttributes(NetcdfFile source, VariableId from, VariableId to)
      throws NetcdfException {
    for (Attribute attribute : source.variable(from).attributes()) putAttribute(to, attribute);
  }

  public void renameVariable(VariableId variable, String name) throws NetcdfException {
    defining().rename(variable, name);
  }

  public void renameDimension(DimensionId dimension, String name) throws NetcdfException {
    defining().rename(dimension, name);
  }

  /** Renames an attribute of the file; its position among the others stays. */
  public void renameAttribute(String name, String newName) throws NetcdfException {
    defining().renameAttribute(name, newName);
  }

  /** The same for one of a variable. */
  public void renameAttribute(VariableId variable, String name, String newName)
      throws NetcdfException {
    defining().renameAttribute(variable, name, newName);
  }

  /**
   * Whether a new variable holds fill values when define mode ends, including the records that
   * exist then; see {@link #fillRecord} for later ones.
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
    Header placed = data.header();
    List<Integer> filled = List.of();
    IOException failure = null;
    long mark = 0;
    try {
      Definitions defined = defining();
      placed =
          Layout.place(
              defined.header().withRecordCount(data.agreedRecords()), headerAlignmentBytes);
      filled = defined.toFill(placed);
      mark = checksum(placed);
    } catch (NetcdfException e) {
      failure = e;
    }
    long[] highest = agreement.reach(failure, mark, -mark, filled.size());
    requireSame(highest);
    data.define(placed);
    definitions = null;
    state = State.DATA;
    Header defined = placed;
    data.together(() -> driver.define(defined));
    if (highest[2] == 0) return;
    List<Integer> toFill = filled;
    data.together(
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
    data.agree(writeProblem());
    data.together(driver::flush);
    definitions = new Definitions(data.header());
    state = State.DEFINE;
  }

  /** Everything that is defined so far. */
  private Header known() {
    return definitions == null ? data.header() : definitions.header();
  }

  /** The definition of a variable. */
  public Variable variable(VariableId id) throws NetcdfException {
    List<Variable> variables = known().variables();
    if (id.index() < 0 || id.index() >= variables.size()) {
      throw new NetcdfException(NetcdfError.NOT_FOUND, "no variable " + id);
    }
    return variables.get(id.index());
  }

  /** The attribute of the file with that name. */
  public Attribute attribute(String name) throws NetcdfException {
    for (Attribute attribute : known().attributes()) {
      if (attribute.name().equals(name)) return attribute;
    }
    throw new NetcdfException(NetcdfError.NOT_FOUND, "the file has no attribute '" + name + "'");
  }

  /** The attribute of a variable with that name. */
  public Attribute attribute(VariableId id, String name) throws NetcdfException {
    Variable variable = variable(id);
    Attribute found = variable.attribute(name);
    if (found != null) return found;
    throw new NetcdfException(
        NetcdfError.NOT_FOUND,
        "variable '%s' has no attribute '%s'".formatted(variable.name(), name));
  }

  /** The variable of that name. */
  public VariableId variable(String name) throws NetcdfException {
    int index = known().variableNamed(name);
    if (index < 0) throw new NetcdfException(NetcdfError.NOT_FOUND, "no variable '" + name + "'");
    return new VariableId(index);
  }

  /** The dimension of that name. */
  public DimensionId dimension(String name) throws NetcdfException {
    int index = known().dimensionNamed(name);
    if (index < 0) throw new NetcdfException(NetcdfError.NOT_FOUND, "no dimension '" + name + "'");
    return new DimensionId(index);
  }

  /** Writes; collective. */
  public void putAll(VariableId variable, Selection selection, Values values) throws IOException {
    NetcdfException problem = writeProblem();
    List<Posted> requests = List.of();
    if (problem == null) {
      try {
        requests = List.of(new Posted(data.checked(variable, selection, values, true), true));
      } catch (NetcdfException e) {
        problem = e;
      }
    }
    data.putAll(requests, problem);
  }

  /** Reads; collective. */
  public void getAll(VariableId variable, Selection selection, Values values) throws IOException {
    // Other ranks may know the records that this rank asks for.
    data.agree(dataProblem());
    List<Posted> requests = List.of();
    NetcdfException problem = null;
    try {
      requests = List.of(new Posted(data.checked(variable, selection, values, false), false));
    } catch (NetcdfException e) {
      problem = e;
    }
    data.doAll(requests, problem);
  }

  /**
   * Reads into memory of its own, of the variable's type; collective. {@link Values#toDoubles} and
   * the like make arrays of it.
   */
  public Values getAll(VariableId variable, Selection selection) throws IOException {
    data.agree(dataProblem());
    List<Posted> requests = List.of();
    Values room = Values.of(new byte[0]);
    NetcdfException problem = null;
    try {
      room = data.room(variable, selection);
      requests = List.of(new Posted(data.checked(variable, selection, room, false), false));
    } catch (NetcdfException e) {
      problem = e;
    }
    data.doAll(requests, problem);
    return room;
  }

  /** The same by this rank alone. */
  public Values get(VariableId variable, Selection selection) throws IOException {
    throwIf(dataProblem());
    Values room = data.room(variable, selection);
    data.doAlone(List.of(new Posted(data.checked(variable, selection, room, false), false)));
    return room;
  }

  /** Writes, by this rank alone. */
  public void put(VariableId variable, Selection selection, Values values) throws IOException {
    throwIf(writeProblem());
    data.doAlone(List.of(new Posted(data.checked(variable, selection, values, true), true)));
  }

  /** Reads, by this rank alone. */
  public void get(VariableId variable, Selection selection, Values values) throws IOException {
    throwIf(dataProblem());
    data.doAlone(List.of(new Posted(data.checked(variable, selection, values, false), false)));
  }

  /** Posts a write that {@link #waitAll} or {@link #waitFor} carries out. */
  public Pending postPut(VariableId variable, Selection selection, Values values)
      throws IOException {
    throwIf(writeProblem());
    return queue.post(new Posted(data.checked(variable, selection, values, true), true));
  }

  /** Posts a read. */
  public Pending postGet(VariableId variable, Selection selection, Values values)
      throws IOException {
    throwIf(dataProblem());
    return queue.post(new Posted(data.checked(variable, selection, values, false), false));
  }

  /** Gives this rank a buffer for {@link #postBufferedPut}; by this rank alone. */
  public void attachBuffer(long bytes) throws NetcdfException {
    queue.attachBuffer(bytes);
  }

  /** Releases the buffer, which must be empty. Closing the file releases it too. */
  public void detachBuffer() throws NetcdfException {
    queue.detachBuffer();
  }

  /** How long the attached buffer is. */
  public long bufferBytes() throws NetcdfException {
    return queue.attached().sizeBytes();
  }

  /** How much of it pending writes use. */
  public long bufferUsedBytes() throws NetcdfException {
    return queue.attached().usedBytes();
  }

  /** Posts a write of elements that are copied to the buffer: their memory may change at once. */
  public Pending postBufferedPut(VariableId variable, Selection selection, Values values)
      throws IOException {
    throwIf(writeProblem());
    return queue.postCopy(data.checked(variable, selection, values, true));
  }

  /** Carries out all that this and other ranks posted, writes before reads; collective. */
  public void waitAll() throws IOException {
    waitAll(queue.takeAll(), null);
  }

  /**
   * Carries out some of what this and other ranks posted, writes before reads; collective. Each
   * rank names its own requests, or none.
   */
  public void waitAll(Collection<Pending> handles) throws IOException {
    List<Posted> requests = List.of();
    NetcdfException problem = null;
    try {
      requests = queue.take(handles);
    } catch (NetcdfException e) {
      problem = e;
    }
    waitAll(requests, problem);
  }

  private void waitAll(List<Posted> requests, @Nullable NetcdfException problem)
      throws IOException {
    try {
      data.doAll(requests, problem == null && requests.isEmpty() ? dataProblem() : problem);
    } finally {
      queue.done(requests);
    }
  }

  /** Carries out some posted requests, writes before reads, independently. */
  public void waitFor(Collection<Pending> handles) throws IOException {
    List<Posted> requests = queue.take(handles);
    try {
      data.doAlone(requests);
    } finally {
      queue.done(requests);
    }
  }

  /** Forgets a posted request; its memory is the caller's again. */
  public void cancel(Pending handle) {
    queue.cancel(handle);
  }

  /** Fills one record of a variable; collective. The record may be new. */
  public void fillRecord(VariableId variable, long record) throws IOException {
    NetcdfException problem = writeProblem();
    if (problem == null) problem = data.fillProblem(variable, record);
    data.fillRecord(variable, record, problem);
  }

  /** Agrees with all ranks on the number of records written; collective. */
  public void syncRecords() throws IOException {
    data.agree(dataProblem());
  }

  /** Writes all logged data to the file; collective. */
  public void flush() throws IOException {
    data.agree(dataProblem());
    data.together(driver::flush);
  }

  /** Puts all written data on stable storage, visible to all ranks; collective. */
  public void sync() throws IOException {
    data.agree(dataProblem());
    if (writable) data.together(driver::sync);
  }

  /** Closes the file; collective. Pending requests are dropped; define mode ends first. */
  @Override
  public void close() throws IOException {
    if (state == State.CLOSED) return;
    if (state == State.DEFINE) endDefine();
    data.agree(null);
    state = State.CLOSED;
    queue.close();
    data.together(driver::close);
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
