// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.netcdf.mode;

import io.forebay.base.MonotonicClock;
import io.forebay.netcdf.CreateMode;
import io.forebay.netcdf.Hints;
import io.forebay.netcdf.NetcdfFile;
import io.forebay.netcdf.NetcdfFiles;
import io.forebay.netcdf.driver.Driver;
import io.forebay.netcdf.driver.DriverStack;
import io.forebay.netcdf.driver.Meter;
import io.forebay.netcdf.driver.Meter.Quantity;
import io.forebay.netcdf.driver.direct.DirectSettings;
import io.forebay.netcdf.format.Format;
import io.forebay.netcdf.format.Header;
import io.forebay.netcdf.store.SharedFile;
import io.forebay.netcdf.store.Storage;
import io.forebay.parallel.Group;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Creates files that are written in one of the modes, by one rank. One rank's thread. */
public final class ModeFiles implements AutoCloseable {
  /** A server copies alone; the elevator has a copier for each of two aggregators. */
  private static final int STAGE_OUT_THREADS = 1;

  private static final int ELEVATOR_THREADS = 2;

  /**
   * Where things are.
   *
   * @param directory of the destination
   * @param fast where whole files are staged, and logs that are not ours
   * @param logs where our logs are: a path or the address of an instance
   * @param forced whether files are complete only when they are on the device
   */
  public record Places(Path directory, Path fast, String logs, boolean forced) {}

  private final Group group;
  private final Mode mode;
  private final Places places;
  private final Destination destination;
  private final FileMover mover;

  /** For one rank; all of them make one. */
  public ModeFiles(Group group, Mode mode, Places places, Destination destination) {
    this.group = group;
    this.mode = mode;
    this.places = places;
    this.destination = destination;
    int threads = mode == Mode.ELEVATOR ? ELEVATOR_THREADS : STAGE_OUT_THREADS;
    mover = new FileMover(destination, places.directory(), threads, places.forced());
  }

  /** Creates a file; collective. */
  public NetcdfFile create(String name) throws IOException {
    Path path = (mode.isStaged() ? places.fast() : places.directory()).resolve(name);
    Storage storage = mode.isStaged() ? Storage.standard() : destination;
    NetcdfFiles files = new NetcdfFiles(storage, MonotonicClock.system(), stack(path));
    return files.create(group, path.toString(), Format.CDF5, CreateMode.REPLACE, hints());
  }

  private Hints hints() throws IOException {
    if (!mode.isLog()) return Hints.parse("burst_buffer=disable");
    String more =
        switch (mode) {
          case LOG_NODE -> ";burst_buffer_shared_logs=enable";
          case LOG_BACKGROUND -> ";burst_buffer_background_flush=enable";
          default -> "";
        };
    return Hints.parse("burst_buffer=enable;burst_buffer_dir=" + places.logs() + more);
  }

  private DriverStack stack(Path path) {
    return switch (mode) {
      case DIRECT, LOG_PROCESS, LOG_NODE, LOG_BACKGROUND -> DriverStack.none();
      case LOGFS, LOGFS_COLLECTIVE ->
          (file, direct, header, meter) -> logfs(path, file, direct, header, meter);
      case STAGE_OUT, ELEVATOR ->
          (file, direct, header, meter) ->
              new StagingDriver(group, direct, mover, path, mode == Mode.STAGE_OUT, meter);
    };
  }

  private Driver logfs(Path path, SharedFile file, Driver direct, Header header, Meter meter)
      throws IOException {
    long start = meter.nanos();
    Path name = path.getFileName();
    ExtentLog log = new ExtentLog(places.fast(), String.valueOf(name), group.rank());
    meter.addSince(Quantity.LOG_CREATE_NANOS, start);
    LogfsDriver.Flush flush =
        mode == Mode.LOGFS
            ? new IndependentFlush(file)
            : new CollectiveFlush(group, file, DirectSettings.DEFAULT);
    return new LogfsDriver(group, direct, log, flush, header, meter);
  }

  /** Returns when everything is at the destination that was closed. */
  public void await() throws IOException {
    if (group.rank() == 0) mover.await();
    group.barrier();
  }

  @Override
  public void close() throws IOException {
    mover.close();
    if (mode.isStaged() && group.rank() == 0) emptyFast();
  }

  private void emptyFast() throws IOException {
    try (var left = Files.newDirectoryStream(places.fast())) {
      for (Path each : left) Files.delete(each);
    }
  }
}
