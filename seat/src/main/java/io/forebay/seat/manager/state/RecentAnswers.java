// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.manager.state;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The results of the latest changes of instances, by the number that each caller drew, so that a
 * retry gets the same answer and is not applied again. Callers give up long before their result is
 * dropped for newer ones.
 */
final class RecentAnswers {
  static final int ANSWERS_MAX = 1024;

  /**
   * The result of a change.
   *
   * @param made the created instance, or 0 if it made none
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

  /** Of a change that makes no instance. */
  void done(long op) {
    remember(new Answer(op, 0));
  }

  /** The result, or null if it was not done, or long ago. */
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
