// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf;

import io.forebay.netcdf.format.NetcdfError;
import io.forebay.netcdf.format.NetcdfException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The posted, unfinished requests of one rank, and the buffer that some of them use. */
final class RequestQueue implements AutoCloseable {
  /**
   * A request.
   *
   * @param piece its part of the buffer; null for memory of the program
   */
  record Posted(RequestCheck.Checked checked, boolean write, PutBuffer.@Nullable Piece piece) {
    Posted(RequestCheck.Checked checked, boolean write) {
      this(checked, write, null);
    }
  }

  private final int countMax;
  private final Map<Pending, Posted> pending = new LinkedHashMap<>();
  private long last;
  private @Nullable PutBuffer buffer;

  RequestQueue(int countMax) {
    this.countMax = countMax;
  }

  void attachBuffer(long bytes) throws NetcdfException {
    if (buffer != null) {
      throw new NetcdfException(
          NetcdfError.BUFFER, "a buffer is attached already; detach it first");
    }
    if (bytes <= 0) {
      throw new NetcdfException(NetcdfError.BUFFER, "a buffer has at least one byte");
    }
    buffer = new PutBuffer(bytes);
  }

  void detachBuffer() throws NetcdfException {
    PutBuffer attached = attached();
    if (!attached.isEmpty()) {
      throw new NetcdfException(
          NetcdfError.BUFFER, "the buffer holds writes that are pending; wait for them first");
    }
    attached.close();
    buffer = null;
  }

  PutBuffer attached() throws NetcdfException {
    if (buffer == null) {
      throw new NetcdfException(NetcdfError.BUFFER, "no buffer is attached; attachBuffer does it");
    }
    return buffer;
  }

  Pending post(Posted posted) throws NetcdfException {
    requireRoom();
    return add(posted);
  }

  /** Posts a write with copied elements, so that the caller may reuse their memory. */
  Pending postCopy(RequestCheck.Checked checked) throws NetcdfException {
    requireRoom();
    PutBuffer.Copied copied = attached().copy(checked.transfer());
    return add(new Posted(new RequestCheck.Checked(copied.transfer()), true, copied.piece()));
  }

  private void requireRoom() throws NetcdfException {
    if (pending.size() < countMax) return;
    throw new NetcdfException(
        NetcdfError.TOO_MUCH_PENDING, "more than " + countMax + " requests are pending");
  }

  private Pending add(Posted posted) {
    Pending handle = new Pending(++last);
    pending.put(handle, posted);
    return handle;
  }

  List<Posted> takeAll() {
    List<Posted> taken = new ArrayList<>(pending.values());
    pending.clear();
    return taken;
  }

  /** Takes the requests of these handles, or none if one of them is not pending. */
  List<Posted> take(Collection<Pending> handles) throws NetcdfException {
    for (Pending handle : handles) {
      if (!pending.containsKey(handle)) {
        throw new NetcdfException(NetcdfError.NOT_FOUND, "request " + handle + " is not pending");
      }
    }
    List<Posted> taken = new ArrayList<>();
    for (Pending handle : new LinkedHashSet<>(handles)) {
      Posted posted = pending.remove(handle);
      if (posted != null) taken.add(posted);
    }
    return taken;
  }

  void cancel(Pending handle) {
    Posted posted = pending.remove(handle);
    if (posted != null) done(List.of(posted));
  }

  /** The taken requests have ended, with or without success: their part of the buffer is free. */
  void done(List<Posted> taken) {
    for (Posted posted : taken) {
      if (posted.piece != null && buffer != null) buffer.free(posted.piece);
    }
  }

  @Override
  public void close() {
    pending.clear();
    if (buffer != null) buffer.close();
    buffer = null;
  }
}
