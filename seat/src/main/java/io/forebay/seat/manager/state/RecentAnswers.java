// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.manager.state;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the latest changes of instances came to, by the number each caller drew for its own, so that
 * one that is asked again is answered again and not done again. Callers give up long before so many
 * others have asked that theirs is forgotten.
 */
final class RecentAnswers {
  static final int ANSWERS_MAX = 1024;

  /**
   * What came of a change.
   *
   * @param made the instance that was made, or 0 if one was destroyed
   */
  public record Answer(long op, int made) {}

  /** In the order of the changes. */
  private final Map<Long, Answer> answers = new LinkedHashMap<>();

  void restore(List<Answer> remembered) {
    answers.clear();
    for (Answer answer : remembered) answers.put(answer.op(), answer);
  }

  List<Answer> all() {
    return new ArrayList<>(answers.values());
  }

  void made(long op, int instance) {
    remember(new Answer(op, instance));
  }

  void destroyed(long op) {
    remember(new Answer(op, 0));
  }

  /** What came of it, or null if it was not done, or long ago. */
  @Nullable Result of(long op) {
    Answer answer = answers.get(op);
    if (answer == null) return null;
    return answer.made() == 0 ? Result.Done.QUIETLY : new Result.Made(answer.made(), List.of());
  }

  private void remember(Answer answer) {
    answers.put(answer.op(), answer);
    if (answers.size() > ANSWERS_MAX) answers.remove(answers.keySet().iterator().next());
  }
}
