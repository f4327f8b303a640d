// SPDX-License-Identifier: Apache-2.0

package io.forebay.drain.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.base.FileId;
import io.forebay.drain.Seeds;
import io.forebay.drain.policy.DrainQueue.Item;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class DrainQueueTest {
  private static Item item(long file, Cause cause, int priority, long age) {
    return new Item(new FileId(1, file), cause, priority, age);
  }

  @Test
  void firstWhatSomebodyWaitsForThenPriorityThenAge() {
    DrainQueue queue = new DrainQueue(10);
    queue.offer(item(1, Cause.CLOSE, 5, 30));
    queue.offer(item(2, Cause.CLOSE, 5, 10));
    queue.offer(item(3, Cause.FILL, 7, 40));
    queue.offer(item(4, Cause.REQUEST, 0, 50));
    queue.offer(item(5, Cause.INTERVAL, 5, 20));
    assertThat(takeAll(queue, 0)).containsExactly(4L, 3L, 2L, 5L, 1L);
  }

  @Test
  void aFileIsInItOnceAtItsBestPlace() {
    DrainQueue queue = new DrainQueue(10);
    queue.offer(item(1, Cause.CLOSE, 5, 10));
    queue.offer(item(2, Cause.CLOSE, 5, 20));
    assertThat(queue.offer(item(2, Cause.REQUEST, 5, 20))).isTrue();
    assertThat(queue.offer(item(2, Cause.CLOSE, 5, 20))).isTrue();
    assertThat(queue.size()).isEqualTo(2);
    assertThat(takeAll(queue, 0)).containsExactly(2L, 1L);
  }

  @Test
  void whatIsTooMuchIsRefused() {
    DrainQueue queue = new DrainQueue(1);
    assertThat(queue.offer(item(1, Cause.CLOSE, 5, 10))).isTrue();
    assertThat(queue.offer(item(2, Cause.REQUEST, 5, 10))).isFalse();
    assertThat(queue.remove(new FileId(1, 1))).isTrue();
    assertThat(queue.remove(new FileId(1, 1))).isFalse();
    assertThat(queue.offer(item(2, Cause.REQUEST, 5, 10))).isTrue();
  }

  @Test
  void whatFailedComesBackAfterItsPause() {
    DrainQueue queue = new DrainQueue(10);
    long now = Long.MAX_VALUE - 50; // A clock may run over.
    queue.postpone(item(1, Cause.CLOSE, 9, 10), now + 100);
    queue.offer(item(2, Cause.CLOSE, 5, 20));
    assertThat(queue.nextNanos()).isEqualTo(now + 100);
    assertThat(takeAll(queue, now)).containsExactly(2L);
    assertThat(takeAll(queue, now + 99)).isEmpty();
    // Asked for in between: it is more urgent, but pauses all the same.
    queue.offer(item(1, Cause.REQUEST, 9, 10));
    assertThat(takeAll(queue, now + 99)).isEmpty();
    assertThat(queue.next(now + 100)).isEqualTo(item(1, Cause.REQUEST, 9, 10));
    assertThat(queue.nextNanos()).isNull();
    assertThat(queue.size()).isZero();
  }

  @Test
  void randomQueuesMatchAModel() {
    Seeds.run(300, DrainQueueTest::compare);
  }

  private static void compare(Random random) {
    DrainQueue queue = new DrainQueue(20);
    Map<FileId, Item> model = new LinkedHashMap<>();
    Map<FileId, Long> pauses = new LinkedHashMap<>();
    Comparator<Item> order =
        Comparator.comparingInt((Item item) -> item.cause().isUrgent() ? 0 : 1)
            .thenComparingInt(item -> -item.priority())
            .thenComparingLong(Item::age)
            .thenComparing(Item::file);
    for (long now = 0; now < 500; now++) {
      Cause cause = List.of(Cause.values()).get(random.nextInt(Cause.values().length));
      Item item = item(random.nextInt(30), cause, random.nextInt(3), random.nextInt(5));
      FileId file = item.file();
      switch (random.nextInt(5)) {
        case 0 -> {
          long notBefore = now + random.nextInt(20);
          queue.postpone(item, notBefore);
          pauses.put(file, notBefore);
          model.put(file, item);
        }
        case 1 -> {
          assertThat(queue.remove(file)).isEqualTo(model.remove(file) != null);
          pauses.remove(file);
        }
        case 2 -> {
          long at = now;
          Item best =
              model.values().stream()
                  .filter(each -> pauses.getOrDefault(each.file(), at) <= at)
                  .min(order)
                  .orElse(null);
          assertThat(queue.next(now)).isEqualTo(best);
          if (best == null) continue;
          model.remove(best.file());
          pauses.remove(best.file());
        }
        default -> {
          boolean room = model.containsKey(file) || model.size() < 20;
          assertThat(queue.offer(item)).isEqualTo(room);
          if (room) model.merge(file, item, (a, b) -> order.compare(b, a) < 0 ? b : a);
        }
      }
      assertThat(queue.size()).isEqualTo(model.size());
    }
  }

  private static List<Long> takeAll(DrainQueue queue, long now) {
    List<Long> files = new ArrayList<>();
    for (Item item = queue.next(now); item != null; item = queue.next(now)) {
      files.add(item.file().number());
    }
    return files;
  }
}
