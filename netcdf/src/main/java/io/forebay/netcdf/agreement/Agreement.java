// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.agreement;

import io.forebay.netcdf.format.NetcdfError;
import io.forebay.netcdf.format.NetcdfException;
import io.forebay.parallel.Group;
import io.forebay.parallel.Reduction;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Makes a collective call end in the same way on all ranks: if it fails on one, all of them throw
 * the same error, that of the lowest failed rank.
 */
public final class Agreement {
  private static final int FINE = 0;

  private final Group group;

  public Agreement(Group group) {
    this.group = group;
  }

  /**
   * Exchanges the result of a call between all ranks.
   *
   * @param failure what went wrong on this rank
   * @param numbers the ranks agree on the highest of each in the same exchange
   */
  public long[] reach(@Nullable IOException failure, long... numbers) throws NetcdfException {
    long[] told = Arrays.copyOf(numbers, numbers.length + 1);
    // The lowest rank has the highest number, so that all ranks get its error.
    told[numbers.length] = failure == null ? FINE : group.size() - group.rank();
    long[] heard = group.allReduce(told, Reduction.MAX);
    long worst = heard[numbers.length];
    if (worst != FINE) throw failureOf((int) (group.size() - worst), failure);
    return Arrays.copyOf(heard, numbers.length);
  }

  /**
   * The same, but returns the numbers of all ranks, in the order of ranks; every rank passes the
   * same number of them.
   */
  public long[] gather(@Nullable IOException failure, long... numbers) throws NetcdfException {
    int length = numbers.length + 1;
    long[] told = Arrays.copyOf(numbers, length);
    told[numbers.length] = failure == null ? FINE : 1;
    long[] heard = group.allGather(told);
    long[] all = new long[group.size() * numbers.length];
    for (int rank = 0; rank < group.size(); rank++) {
      if (heard[rank * length + numbers.length] != FINE) throw failureOf(rank, failure);
      System.arraycopy(heard, rank * length, all, rank * numbers.length, numbers.length);
    }
    return all;
  }

  private NetcdfException failureOf(int rank, @Nullable IOException own) {
    byte[] bytes = new byte[0];
    if (group.rank() == rank && own != null) {
      bytes = (errorOf(own).code() + " " + messageOf(own)).getBytes(StandardCharsets.UTF_8);
    }
    String told = new String(group.broadcast(bytes, rank), StandardCharsets.UTF_8);
    int space = told.indexOf(' ');
    NetcdfError error = NetcdfError.of(Integer.parseInt(told.substring(0, space)));
    String text = told.substring(space + 1);
    String message = group.size() == 1 ? text : "rank " + rank + ": " + text;
    NetcdfException failure = new NetcdfException(error, message);
    if (own != null) failure.addSuppressed(own);
    return failure;
  }

  private static NetcdfError errorOf(IOException e) {
    return e instanceof NetcdfException known ? known.error() : NetcdfError.STORAGE;
  }

  private static String messageOf(IOException e) {
    return e instanceof NetcdfException known ? String.valueOf(known.getMessage()) : e.toString();
  }
}
