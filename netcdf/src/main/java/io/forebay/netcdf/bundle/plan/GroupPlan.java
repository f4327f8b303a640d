// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.bundle.plan;

import io.forebay.netcdf.bundle.definition.Block;
import io.forebay.netcdf.bundle.definition.Bundle;
import io.forebay.netcdf.bundle.definition.PlaneVariable;
import io.forebay.netcdf.bundle.partition.AggregationGroup;
import io.forebay.netcdf.bundle.partition.Scheme;
import java.util.ArrayList;
import java.util.List;

/**
 * How one group writes its bundles:
 *
 * <ol>
 *   <li>The planes are cut into strips, in the order of the files.
 *   <li>Strips are taken in rounds, which are as large as the members' memory allows.
 *   <li>In a round every strip has one holder, its plane root (BPS, LPS), or all members hold a
 *       share of it (IPS): the blocks of the ranks that correspond to them.
 *   <li>Each aggregator has a range of the round's strips, and writes it window by window.
 * </ol>
 *
 * Members are numbered within the group from 0.
 */
public final class GroupPlan {
  private final AggregationGroup group;
  private final boolean shares;
  private final List<List<Block>> blocks;
  private final List<Strip> strips;

  /** Where each strip would begin if all followed one another; the last number is their length. */
  private final long[] starts;

  private final int[] aggregators;
  private final int stripsPerRound;
  private final int stripsPerWindow;
  private final int[] holderOfRank;
  private final List<List<Integer>> sourcesOfMember;

  /**
   * Plans.
   *
   * @param blocks of each bundle the blocks of all ranks
   */
  public GroupPlan(
      Scheme scheme,
      AggregationGroup group,
      List<Bundle> bundles,
      List<List<Block>> blocks,
      Sizes sizes) {
    this.group = group;
    this.blocks = blocks;
    shares = scheme == Scheme.IPS;
    int ranks = blocks.getFirst().size();
    holderOfRank = holders(group, ranks);
    sourcesOfMember = allSources(ranks);
    Bounds bounds = sizes.bounds;
    strips =
        Strips.of(bundles, group.bundles(), Math.min(bounds.heldBytes(), bounds.windowBytes()));
    aggregators = spread(Math.min(sizes.aggregators, group.size()), group.size());
    long longest = 1;
    starts = new long[strips.size() + 1];
    for (int i = 0; i < strips.size(); i++) {
      long bytes = strips.get(i).bytes();
      longest = Math.max(longest, bytes);
      starts[i + 1] = starts[i] + bytes;
    }
    stripsPerWindow = (int) Math.min(strips.size(), bounds.windowBytes() / longest);
    stripsPerRound = (int) Math.min(strips.size(), roundStrips(bounds, longest, bundles));
  }

  /**
   * What bounds a plan.
   *
   * @param aggregators how many members write at the most
   */
  public record Sizes(Bounds bounds, int aggregators) {}

  /** How many strips the members can hold together. */
  private long roundStrips(Bounds bounds, long longest, List<Bundle> bundles) {
    if (!shares) return bounds.heldBytes() / longest * group.size();
    long largest = 1;
    for (int bundle : group.bundles()) {
      long planeShare = largestShareElements(blocks.get(bundle));
      for (PlaneVariable variable : bundles.get(bundle).variables()) {
        // The share of a strip of a cut plane may be all of the strip.
        long share = Math.min(longest, planeShare * variable.type().sizeBytes());
        largest = Math.max(largest, share);
      }
    }
    return bounds.heldBytes() / largest;
  }

  private long largestShareElements(List<Block> all) {
    long[] held = new long[group.size()];
    long largest = 0;
    for (int rank = 0; rank < all.size(); rank++) {
      int holder = holderOfRank[rank];
      held[holder] += all.get(rank).elements();
      largest = Math.max(largest, held[holder]);
    }
    return largest;
  }

  /** A member holds its own block, and those of the ranks outside that correspond to it. */
  private static int[] holders(AggregationGroup group, int ranks) {
    int[] holders = new int[ranks];
    boolean[] inside = new boolean[ranks];
    for (int member = 0; member < group.size(); member++) {
      holders[group.ranks().get(member)] = member;
      inside[group.ranks().get(member)] = true;
    }
    int outside = ranks - group.size();
    int next = 0;
    for (int rank = 0; rank < ranks; rank++) {
      if (!inside[rank]) holders[rank] = (int) ((long) next++ * group.size() / outside);
    }
    return holders;
  }

  /** Members at even distances, the root first. */
  private static int[] spread(int count, int members) {
    int[] spread = new int[count];
    for (int i = 0; i < count; i++) spread[i] = (int) ((long) i * members / count);
    return spread;
  }

  public AggregationGroup group() {
    return group;
  }

  /** Whether members hold shares of all strips, and not whole strips. */
  public boolean holdsShares() {
    return shares;
  }

  public Strip strip(int number) {
    return strips.get(number);
  }

  public int rounds() {
    return Math.ceilDiv(strips.size(), stripsPerRound);
  }

  public int firstStrip(int round) {
    return Math.min(strips.size(), round * stripsPerRound);
  }

  public int endStrip(int round) {
    return firstStrip(round + 1);
  }

  /** The first strip of a round that a member is the root of; all of a round's if it has shares. */
  public int firstHeld(int round, int member) {
    return shares ? firstStrip(round) : divide(round, group.size(), member);
  }

  public int endHeld(int round, int member) {
    return shares ? endStrip(round) : divide(round, group.size(), member + 1);
  }

  private int divide(int round, int parts, int part) {
    int first = firstStrip(round);
    return first + (int) ((long) (endStrip(round) - first) * part / parts);
  }

  /** Whether a member receives something of a rank. */
  public boolean receivesFrom(int member, int rank) {
    return !shares || holderOfRank[rank] == member;
  }

  /** How many bytes a rank sends a member in a round. */
  public long sentBytes(int round, int member, int rank) {
    if (!receivesFrom(member, rank)) return 0;
    return heldBytes(firstHeld(round, member), endHeld(round, member), rank);
  }

  /** How many bytes of some strips a rank's block has. */
  public long heldBytes(int first, int end, int rank) {
    long bytes = 0;
    for (int i = first; i < end; i++) {
      Strip strip = strips.get(i);
      bytes += strip.bytesOf(blockOf(strip, rank));
    }
    return bytes;
  }

  public Block blockOf(Strip strip, int rank) {
    return blocks.get(strip.bundle()).get(rank);
  }

  /** The whole length of some strips. */
  public long stripBytes(int first, int end) {
    return starts[end] - starts[first];
  }

  /** The members that write, the root first. */
  public int[] aggregators() {
    return aggregators.clone();
  }

  public boolean isAggregator(int member) {
    for (int aggregator : aggregators) {
      if (aggregator == member) return true;
    }
    return false;
  }

  /** The windows of a round, those of each aggregator in the order of its strips. */
  public List<Window> windows(int round) {
    List<Window> windows = new ArrayList<>();
    for (int i = 0; i < aggregators.length; i++) {
      int end = divide(round, aggregators.length, i + 1);
      for (int at = divide(round, aggregators.length, i); at < end; at += stripsPerWindow) {
        windows.add(new Window(round, at, Math.min(end, at + stripsPerWindow), aggregators[i]));
      }
    }
    return windows;
  }

  /** How many bytes of a window a member holds. */
  public long contributedBytes(Window window, int member) {
    if (!shares) {
      int first = Math.max(window.first(), firstHeld(window.round(), member));
      int end = Math.min(window.end(), endHeld(window.round(), member));
      return first < end ? stripBytes(first, end) : 0;
    }
    long bytes = 0;
    for (int rank : sources(member)) bytes += heldBytes(window.first(), window.end(), rank);
    return bytes;
  }

  /** How many bytes a member receives in a round, its own among them. */
  public long receivedBytes(int round, int member) {
    if (!shares) return stripBytes(firstHeld(round, member), endHeld(round, member));
    long bytes = 0;
    for (int rank : sources(member)) bytes += sentBytes(round, member, rank);
    return bytes;
  }

  /** The ranks whose parts a member receives, itself among them, in their order. */
  public List<Integer> sources(int member) {
    return sourcesOfMember.get(shares ? member : 0);
  }

  private List<List<Integer>> allSources(int ranks) {
    List<List<Integer>> sources = new ArrayList<>();
    for (int i = 0; i < (shares ? group.size() : 1); i++) sources.add(new ArrayList<>());
    for (int rank = 0; rank < ranks; rank++) {
      sources.get(shares ? holderOfRank[rank] : 0).add(rank);
    }
    return sources;
  }
}
