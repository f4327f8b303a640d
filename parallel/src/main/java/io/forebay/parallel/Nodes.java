// SPDX-License-Identifier: Apache-2.0

package io.forebay.parallel;

/** Numbers nodes by the lowest rank of each. */
final class Nodes {
  private Nodes() {}

  /** The nodes of ranks when this many consecutive ranks share one. */
  static int[] ofEqualSize(int ranks, int ranksPerNode) {
    if (ranks <= 0 || ranksPerNode <= 0) {
      throw new IllegalArgumentException(ranks + " ranks, " + ranksPerNode + " on a node");
    }
    int[] nodes = new int[ranks];
    for (int rank = 0; rank < ranks; rank++) nodes[rank] = rank / ranksPerNode;
    return nodes;
  }

  /** The same nodes with numbers from 0 on, in the order in which ranks meet them. */
  static int[] numbered(long[] marks) {
    int[] nodes = new int[marks.length];
    int count = 0;
    for (int rank = 0; rank < marks.length; rank++) {
      int node = count;
      for (int before = 0; before < rank; before++) {
        if (marks[before] == marks[rank]) {
          node = nodes[before];
          break;
        }
      }
      if (node == count) count++;
      nodes[rank] = node;
    }
    return nodes;
  }
}
