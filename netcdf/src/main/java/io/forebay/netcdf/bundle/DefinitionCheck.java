// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.bundle;

import io.forebay.netcdf.agreement.Agreement;
import io.forebay.netcdf.bundle.definition.Block;
import io.forebay.netcdf.bundle.definition.Bundle;
import io.forebay.netcdf.bundle.definition.Coordinate;
import io.forebay.netcdf.bundle.definition.Grid;
import io.forebay.netcdf.bundle.partition.Partition;
import io.forebay.netcdf.bundle.partition.Scheme;
import io.forebay.netcdf.format.Attribute;
import io.forebay.netcdf.format.Dimension;
import io.forebay.netcdf.format.ElementType;
import io.forebay.netcdf.format.NetcdfError;
import io.forebay.netcdf.format.NetcdfException;
import io.forebay.netcdf.format.Variable;
import io.forebay.parallel.Group;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Checks that the ranks' definitions fit together; collective. */
final class DefinitionCheck {
  private static final int NUMBERS_PER_BLOCK = 4;

  private final Group ranks;
  private final Agreement agreement;
  private final List<Bundle> bundles;
  private final int[] nodes;

  /**
   * For some ranks.
   *
   * @param nodes of each rank, its node
   */
  DefinitionCheck(Group ranks, List<Bundle> bundles, int[] nodes) {
    this.ranks = ranks;
    this.bundles = bundles;
    this.nodes = nodes.clone();
    agreement = new Agreement(ranks);
  }

  /** Throws on all ranks if one has a problem, or other definitions or options than the first. */
  void requireSame(@Nullable IOException problem, BundleOptions options) throws IOException {
    agreement.reach(problem != null ? problem : namesProblem(options));
    List<String> own = description(options);
    byte[] text = String.join("\n", own).getBytes(StandardCharsets.UTF_8);
    String first = new String(ranks.broadcast(text, 0), StandardCharsets.UTF_8);
    agreement.reach(difference(own, List.of(first.split("\n", -1))));
  }

  private @Nullable NetcdfException namesProblem(BundleOptions options) {
    if (bundles.isEmpty()) {
      return new NetcdfException(NetcdfError.NOT_FOUND, "there are no bundles to write");
    }
    NetcdfException tooMany = options.merging() ? null : bundlesProblem(options);
    if (tooMany != null) return tooMany;
    Set<String> names = new HashSet<>();
    for (Bundle bundle : bundles) {
      if (!names.add(bundle.name())) {
        return new NetcdfException(
            NetcdfError.NAME_IN_USE, "two bundles are named '" + bundle.name() + "'");
      }
    }
    return null;
  }

  /** Without merging each bundle has a group of its own: a rank, or a whole node with LPS. */
  private @Nullable NetcdfException bundlesProblem(BundleOptions options) {
    Scheme scheme = options.scheme().orElse(Scheme.BPS);
    int groupsMax = Partition.groupsMax(scheme, nodes);
    if (bundles.size() <= groupsMax) return null;
    String unit = scheme == Scheme.LPS ? "node" : "rank";
    return new NetcdfException(
        NetcdfError.OUT_OF_BOUNDS,
        "%d bundles and %d %s%s: bundle '%s' has no %s of its own; allow merging, or use more %ss"
            .formatted(
                bundles.size(),
                groupsMax,
                unit,
                groupsMax == 1 ? "" : "s",
                bundles.get(groupsMax).name(),
                unit,
                unit));
  }

  /** All that is defined, a line each; the line says what it is about. */
  private List<String> description(BundleOptions options) {
    List<String> lines = new ArrayList<>();
    lines.add("the options: " + options);
    for (Bundle bundle : bundles) {
      String where = "bundle '" + bundle.name() + "'";
      lines.add(where + ": " + bundle.format() + ", deflate " + bundle.deflate());
      for (Dimension dimension : bundle.header().dimensions()) {
        lines.add("%s, dimension '%s': %d".formatted(where, dimension.name(), dimension.length()));
      }
      for (Attribute attribute : bundle.header().attributes()) lines.add(where + line(attribute));
      for (Variable variable : bundle.header().variables()) {
        String whose = "%s, variable '%s'".formatted(where, variable.name());
        lines.add(whose + ": " + variable.type() + " along " + variable.dimensions());
        for (Attribute attribute : variable.attributes()) lines.add(whose + line(attribute));
      }
      for (Coordinate coordinate : bundle.coordinates()) {
        lines.add(
            "%s, coordinate '%s': checksum %d"
                .formatted(where, coordinate.name(), checksum(coordinate)));
      }
    }
    return lines.stream().map(line -> line.replace('\n', ' ')).toList();
  }

  private static String line(Attribute attribute) {
    byte[] bytes = attribute.values().toArray();
    String values =
        attribute.type() == ElementType.CHAR
            ? "'" + new String(bytes, StandardCharsets.UTF_8) + "'"
            : HexFormat.of().formatHex(bytes);
    return ", attribute '%s': %s %s".formatted(attribute.name(), attribute.type(), values);
  }

  private static int checksum(Coordinate coordinate) {
    int checksum = 0;
    for (byte each :
        coordinate.values().memory().toArray(java.lang.foreign.ValueLayout.JAVA_BYTE)) {
      checksum = 31 * checksum + each;
    }
    return checksum;
  }

  private @Nullable NetcdfException difference(List<String> own, List<String> first) {
    for (int i = 0; i < Math.max(own.size(), first.size()); i++) {
      String mine = i < own.size() ? own.get(i) : "nothing more";
      String theirs = i < first.size() ? first.get(i) : "nothing more";
      if (mine.equals(theirs)) continue;
      return new NetcdfException(
          NetcdfError.RANKS_DIFFER,
          "this rank defines %s; rank 0 defines %s".formatted(mine, theirs));
    }
    return null;
  }

  /** The program could not name its block of a bundle's planes. */
  static NetcdfException blockProblem(Bundle bundle, RuntimeException e) {
    return new NetcdfException(
        NetcdfError.OUT_OF_BOUNDS,
        "bundle '%s', variable '%s': no block of this rank: %s"
            .formatted(
                bundle.name(),
                bundle.variables().getFirst().name(),
                e.getMessage() == null ? e.toString() : e.getMessage()),
        e);
  }

  /**
   * The blocks of all ranks, for each bundle.
   *
   * @param mine this rank's
   * @throws NetcdfException if they overlap, or leave elements of a plane to no rank
   */
  List<List<Block>> blocksOfAll(List<Block> mine) throws IOException {
    long[] numbers = new long[mine.size() * NUMBERS_PER_BLOCK];
    for (int i = 0; i < mine.size(); i++) {
      Block block = mine.get(i);
      int at = i * NUMBERS_PER_BLOCK;
      numbers[at] = block.row();
      numbers[at + 1] = block.rows();
      numbers[at + 2] = block.column();
      numbers[at + 3] = block.columns();
    }
    long[] all = ranks.allGather(numbers);
    List<List<Block>> blocks = new ArrayList<>();
    for (int i = 0; i < mine.size(); i++) {
      List<Block> ofBundle = new ArrayList<>();
      for (int rank = 0; rank < ranks.size(); rank++) {
        int at = rank * numbers.length + i * NUMBERS_PER_BLOCK;
        ofBundle.add(new Block(all[at], all[at + 1], all[at + 2], all[at + 3]));
      }
      blocks.add(List.copyOf(ofBundle));
    }
    // One rank looks at them for all.
    agreement.reach(ranks.rank() == 0 ? blocksProblem(blocks) : null);
    return blocks;
  }

  /** A grid and the blocks of all ranks. */
  private record Divided(Grid grid, List<Block> blocks) {}

  private @Nullable NetcdfException blocksProblem(List<List<Block>> blocks) {
    Set<Divided> seen = new HashSet<>();
    for (int i = 0; i < blocks.size(); i++) {
      Bundle bundle = bundles.get(i);
      // Bundles of one grid usually have the same blocks.
      if (!seen.add(new Divided(bundle.grid(), blocks.get(i)))) continue;
      String problem = blocksProblem(bundle.grid(), blocks.get(i));
      if (problem != null) {
        String variable = bundle.variables().getFirst().name();
        return new NetcdfException(
            NetcdfError.OUT_OF_BOUNDS,
            "bundle '%s', variable '%s': %s".formatted(bundle.name(), variable, problem));
      }
    }
    return null;
  }

  private static @Nullable String blocksProblem(Grid grid, List<Block> blocks) {
    long elements = 0;
    Block plane = new Block(0, grid.rows(), 0, grid.columns());
    for (int rank = 0; rank < blocks.size(); rank++) {
      Block block = blocks.get(rank);
      if (block.isEmpty()) continue;
      if (!plane.intersect(block).equals(block)) {
        return "rank %d has %s, which is outside of %d rows and %d columns"
            .formatted(rank, block, grid.rows(), grid.columns());
      }
      elements += block.elements();
      for (int other = 0; other < rank; other++) {
        if (!blocks.get(other).intersect(block).isEmpty()) {
          return "ranks %d and %d both have %s"
              .formatted(other, rank, blocks.get(other).intersect(block));
        }
      }
    }
    return elements == grid.elements() ? null : missing(grid, blocks);
  }

  /** A missing element begins where a block, or the plane, begins or ends. */
  private static String missing(Grid grid, List<Block> blocks) {
    Set<Long> rows = new HashSet<>(Set.of(0L));
    Set<Long> columns = new HashSet<>(Set.of(0L));
    for (Block block : blocks) {
      rows.add(block.row() + block.rows());
      columns.add(block.column() + block.columns());
    }
    for (long row : rows.stream().sorted().toList()) {
      for (long column : columns.stream().sorted().toList()) {
        if (row >= grid.rows() || column >= grid.columns()) continue;
        Block one = new Block(row, 1, column, 1);
        if (blocks.stream().allMatch(block -> block.intersect(one).isEmpty())) {
          return "no rank has row %d, column %d".formatted(row, column);
        }
      }
    }
    throw new IllegalStateException("blocks that neither overlap nor leave anything out");
  }
}
