// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.path;

import io.forebay.wire.Address;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The path that is measured.
 *
 * @param transferBytes what a client writes or reads by one call
 * @param clients how many clients there are at a time, and threads and streams at the other hops
 * @param servers of the ring that is started here
 * @param copies of each byte there
 * @param uri a running instance to measure instead, or null
 * @param backing the backing store, as {@code --backing} of an instance; null for a directory that
 *     is as slow as the slow profile
 * @param helpers helpers on other machines; empty for processes on this one
 */
public record PathOptions(
    int transferBytes,
    int clients,
    int servers,
    int copies,
    @Nullable String uri,
    @Nullable String backing,
    List<Address> helpers) {
  public static final int TRANSFER_BYTES_DEFAULT = 1 << 20;
  public static final int CLIENTS_DEFAULT = 4;
  public static final int SERVERS_DEFAULT = 2;
  public static final int COPIES_DEFAULT = 2;

  /** As long as the longest message that is measured. */
  public static final int TRANSFER_BYTES_MAX = 16 << 20;

  public static final int CLIENTS_MAX = 64;
  public static final int SERVERS_MAX = 16;
  private static final int WORD_BYTES = Long.BYTES;

  public PathOptions {
    helpers = List.copyOf(helpers);
    check(
        transferBytes > 0 && transferBytes <= TRANSFER_BYTES_MAX && transferBytes % WORD_BYTES == 0,
        "--size must be a multiple of 8 bytes, and at most 16 MiB");
    check(clients > 0 && clients <= CLIENTS_MAX, "--clients must be from 1 to " + CLIENTS_MAX);
    check(servers > 0 && servers <= SERVERS_MAX, "--servers must be from 1 to " + SERVERS_MAX);
    check(
        copies > 0 && copies <= servers,
        "--copies must be from 1 to the number of servers, which is " + servers);
  }

  public static PathOptions defaults() {
    return new PathOptions(
        TRANSFER_BYTES_DEFAULT,
        CLIENTS_DEFAULT,
        SERVERS_DEFAULT,
        COPIES_DEFAULT,
        null,
        null,
        List.of());
  }

  private static void check(boolean right, String sentence) {
    if (!right) throw new IllegalArgumentException(sentence);
  }
}
