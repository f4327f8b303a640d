// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.netcdf.mode;

import io.forebay.netcdf.driver.Driver;
import io.forebay.netcdf.driver.Transfer;
import io.forebay.netcdf.format.Header;
import java.io.IOException;
import java.util.List;

/** Forwards everything to the driver below; subclasses override parts. One rank's thread. */
abstract class PassingDriver implements Driver {
  private final Driver below;

  PassingDriver(Driver below) {
    this.below = below;
  }

  final Driver below() {
    return below;
  }

  @Override
  public void define(Header header) throws IOException {
    below.define(header);
  }

  @Override
  public boolean put(List<Transfer> puts, boolean collective) throws IOException {
    return below.put(puts, collective);
  }

  @Override
  public boolean get(List<Transfer> gets, boolean collective) throws IOException {
    return below.get(gets, collective);
  }

  @Override
  public void fill(int variable, long record, long count) throws IOException {
    below.fill(variable, record, count);
  }

  @Override
  public void recordCount(long count) throws IOException {
    below.recordCount(count);
  }

  @Override
  public void flush() throws IOException {
    below.flush();
  }

  @Override
  public void sync() throws IOException {
    below.sync();
  }

  @Override
  public void close() throws IOException {
    below.close();
  }
}
