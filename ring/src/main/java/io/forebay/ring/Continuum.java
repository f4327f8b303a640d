// SPDX-License-Identifier: Apache-2.0

package io.forebay.ring;

import io.forebay.base.SeatId;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Ketama's circle of points, exactly as libketama (Last.fm, 2007) draws it: each of the MD5 digests
 * of {@code <name>-<i>} gives four points; a seat of average weight has 160. A key belongs to the
 * first point at or behind its own hash. Immutable; any thread.
 */
final class Continuum {
  /** A name on the circle. */
  record Node(SeatId seat, String name, int weight) {}

  private static final double DIGESTS_PER_SEAT = 40.0;
  private static final int POINTS_PER_DIGEST = 4;
  private static final long CIRCLE = 1L << 32;

  private record Point(long at, int node) {}

  private final List<Node> nodes;
  private final long[] points;
  private final int[] owners;

  Continuum(List<Node> nodes) {
    if (nodes.isEmpty()) throw new IllegalArgumentException("a continuum without seats");
    this.nodes = List.copyOf(nodes);
    List<Point> drawn = new ArrayList<>();
    for (int node = 0; node < nodes.size(); node++) draw(node, drawn);
    // Stable, so that of two seats on one point the first one given has it.
    drawn.sort(Comparator.comparingLong(Point::at));
    points = drawn.stream().mapToLong(Point::at).toArray();
    owners = drawn.stream().mapToInt(Point::node).toArray();
  }

  private void draw(int node, List<Point> drawn) {
    int digests = digests(nodes.get(node).weight(), totalWeight(nodes), nodes.size());
    for (int i = 0; i < digests; i++) {
      byte[] digest = digest(nodes.get(node).name() + "-" + i);
      for (int h = 0; h < POINTS_PER_DIGEST; h++) {
        drawn.add(new Point(littleEndian(digest, h * Integer.BYTES), node));
      }
    }
  }

  /** How many digests a weight gets: in the single precision of the published code. */
  static int digests(long weight, long totalWeight, int seats) {
    float share = (float) weight / (float) totalWeight;
    return (int) Math.floor((float) (share * DIGESTS_PER_SEAT * seats));
  }

  /** Where a key stands on the circle. */
  static long hash(String key) {
    return littleEndian(digest(key), 0);
  }

  int pointCount() {
    return points.length;
  }

  long point(int index) {
    return points[index];
  }

  Node owner(int index) {
    return nodes.get(owners[index]);
  }

  /** The index of the first point at or behind a hash, going round. */
  int find(long hash) {
    int low = 0;
    int high = points.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (points[middle] < hash) low = middle + 1;
      else high = middle;
    }
    return low == points.length ? 0 : low;
  }

  /** All seats that have points, in the order in which they come behind a hash. */
  List<SeatId> walk(long hash) {
    List<SeatId> order = new ArrayList<>(nodes.size());
    boolean[] seen = new boolean[nodes.size()];
    int start = find(hash);
    for (int i = 0; i < points.length && order.size() < nodes.size(); i++) {
      int node = owners[(start + i) % points.length];
      if (!seen[node]) order.add(nodes.get(node).seat());
      seen[node] = true;
    }
    return order;
  }

  /** How far the seats' shares of the circle are from their weights: the relative deviation. */
  double deviation() {
    double[] shares = new double[nodes.size()];
    for (int i = 0; i < points.length; i++) {
      long before = i == 0 ? points[points.length - 1] - CIRCLE : points[i - 1];
      shares[owners[i]] += (double) (points[i] - before) / CIRCLE;
    }
    double sum = 0;
    for (int node = 0; node < shares.length; node++) {
      double wanted = (double) nodes.get(node).weight() / totalWeight(nodes);
      double off = shares[node] / wanted - 1;
      sum += off * off;
    }
    return Math.sqrt(sum / shares.length);
  }

  private static long totalWeight(List<Node> nodes) {
    return nodes.stream().mapToLong(Node::weight).sum();
  }

  private static long littleEndian(byte[] digest, int at) {
    return Byte.toUnsignedLong(digest[at])
        | (Byte.toUnsignedLong(digest[at + 1]) << 8)
        | (Byte.toUnsignedLong(digest[at + 2]) << 16)
        | (Byte.toUnsignedLong(digest[at + 3]) << 24);
  }

  private static byte[] digest(String text) {
    try {
      return MessageDigest.getInstance("MD5").digest(text.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has MD5", e);
    }
  }
}
