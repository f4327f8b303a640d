// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.profile.count;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Different numbers, up to a bound; further ones are left out. One owner. */
final class FewNumbers {
  private static final int FIRST_ROOM = 4;

  private final int most;
  private int[] numbers = new int[FIRST_ROOM];
  private int count;

  FewNumbers(int most) {
    this.most = most;
  }

  void add(int number) {
    for (int i = 0; i < count; i++) {
      if (numbers[i] != number) continue;
      // The process that calls now calls again.
      if (i > 0) {
        numbers[i] = numbers[i - 1];
        numbers[i - 1] = number;
      }
      return;
    }
    if (count == most) return;
    if (count == numbers.length) numbers = Arrays.copyOf(numbers, Math.min(2 * count, most));
    numbers[count++] = number;
  }

  List<Integer> list() {
    List<Integer> list = new ArrayList<>();
    for (int i = 0; i < count; i++) list.add(numbers[i]);
    return list;
  }

  void clear() {
    count = 0;
  }
}
