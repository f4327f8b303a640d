// SPDX-License-Identifier: Apache-2.0

package io.forebay.namespace.tree.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.testing.TestSeed;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The table against a map, with nodes that come and go. */
class NodeTableTest {
  @Test
  void theTableMatchesAMap() {
    long seed = TestSeed.first("NodeTableTest");
    System.out.println("NodeTableTest: -Dforebay.seed=" + seed);
    SplittableRandom random = new SplittableRandom(seed);
    NodeTable table = new NodeTable();
    TreeMap<Long, Node> map = new TreeMap<>();
    for (int i = 0; i < 20_000; i++) {
      long number = random.nextInt(500);
      Node node = map.get(number);
      assertThat(table.get(number) == node).isTrue();
      if (node != null) {
        table.remove(node);
        map.remove(number);
      } else {
        Node added = new DirectoryNode(number);
        table.add(added);
        map.put(number, added);
      }
    }
    assertThat(table.size()).isEqualTo(map.size());
    assertThat(table.sorted()).containsExactly(map.values().toArray(Node[]::new));
  }

  @Test
  void textsAreMeasuredInBytes() {
    for (String text : new String[] {"", "a", "ä", "€", "\uD83D\uDE00", "aä€\uD83D\uDE00"}) {
      assertThat(NameRules.utf8Bytes(text))
          .isEqualTo(text.getBytes(java.nio.charset.StandardCharsets.UTF_8).length);
    }
  }
}
