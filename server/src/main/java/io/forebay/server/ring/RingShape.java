// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.ring;

import io.forebay.ring.DrainSpec;
import io.forebay.ring.PlacementSpec;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The processes of a ring.
 *
 * @param segmentBytes with the next two, the sizes of each server
 * @param drain where and when its instance's files are drained
 * @param java options of the servers' virtual machines, beside the usual ones
 * @param certificates how long certificates of the cluster's own CA last; null for no TLS
 * @param managers how many managers agree; one is alone
 */
public record RingShape(
    int servers,
    int copies,
    int segmentBytes,
    long memoryBytes,
    long ssdBytes,
    PlacementSpec placement,
    DrainSpec drain,
    List<String> java,
    @Nullable Duration certificates,
    int managers) {
  public RingShape {
    java = List.copyOf(java);
  }

  /** A ring whose files are not drained. */
  public RingShape(
      int servers,
      int copies,
      int segmentBytes,
      long memoryBytes,
      long ssdBytes,
      PlacementSpec placement) {
    this(
        servers,
        copies,
        segmentBytes,
        memoryBytes,
        ssdBytes,
        placement,
        DrainSpec.NONE,
        List.of(),
        null,
        1);
  }

  public RingShape withDrain(DrainSpec other) {
    return new RingShape(
        servers,
        copies,
        segmentBytes,
        memoryBytes,
        ssdBytes,
        placement,
        other,
        java,
        certificates,
        managers);
  }

  public RingShape withJava(List<String> options) {
    return new RingShape(
        servers,
        copies,
        segmentBytes,
        memoryBytes,
        ssdBytes,
        placement,
        drain,
        options,
        certificates,
        managers);
  }

  /** The same with TLS, by certificates that last so long. */
  public RingShape withCertificates(Duration lifetime) {
    return new RingShape(
        servers,
        copies,
        segmentBytes,
        memoryBytes,
        ssdBytes,
        placement,
        drain,
        java,
        lifetime,
        managers);
  }

  /** The same with so many managers. */
  public RingShape withManagers(int count) {
    return new RingShape(
        servers,
        copies,
        segmentBytes,
        memoryBytes,
        ssdBytes,
        placement,
        drain,
        java,
        certificates,
        count);
  }
}
