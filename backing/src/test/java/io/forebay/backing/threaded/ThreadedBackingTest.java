// SPDX-License-Identifier: Apache-2.0

package io.forebay.backing.threaded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.forebay.backing.Attempt;
import io.forebay.backing.AttemptId;
import io.forebay.backing.AttemptPlan;
import io.forebay.backing.Backing;
import io.forebay.backing.Backing.Answer;
import io.forebay.backing.BackingFailure;
import io.forebay.backing.BackingPath;
import io.forebay.backing.BackingStore;
import io.forebay.backing.BackingStores;
import io.forebay.backing.FileAttributes;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class ThreadedBackingTest {
  private static final int PENDING_MAX = 8;
  private static final BackingPath PATH = BackingPath.of("a/file");

  @TempDir Path directory;

  private final AtomicInteger wakeUps = new AtomicInteger();
  private Backing backing;

  @BeforeEach
  void open() {
    BackingStore store = new BackingStores(null).open(directory.toString());
    backing = new ThreadedBacking(store, 2, PENDING_MAX, wakeUps::incrementAndGet);
  }

  @AfterEach
  void close() {
    backing.close();
  }

  @Test
  void drainsAFileStepByStep() throws Exception {
    byte[] content = {1, 2, 3, 4, 5};
    AttemptPlan plan =
        new AttemptPlan(new AttemptId("1.2.3"), PATH, content.length, FileAttributes.NONE);
    List<String> steps = new ArrayList<>();
    backing.begin(
        plan,
        begun -> {
          Attempt attempt = value(begun);
          steps.add("begun");
          backing.write(
              attempt,
              0,
              List.of(ByteBuffer.wrap(content)),
              written -> {
                value(written);
                steps.add("written");
                backing.force(
                    attempt,
                    forced -> {
                      value(forced);
                      steps.add("forced");
                      backing.commit(
                          attempt, PATH, committed -> steps.add("committed " + value(committed)));
                    });
              });
        });
    settle();
    assertThat(steps).containsExactly("begun", "written", "forced", "committed []");
    assertThat(directory.resolve(PATH.text())).hasBinaryContent(content);
    backing.close(); // each wakes its owner after it has answered
    assertThat(wakeUps).hasValue(4);
  }

  @Test
  void answersInsidePollOnTheOwnersThread() throws Exception {
    Thread owner = Thread.currentThread();
    boolean[] polling = {false};
    List<String> wrong = new ArrayList<>();
    for (int i = 0; i < PENDING_MAX; i++) {
      backing.stat(
          PATH,
          answer -> {
            if (!polling[0]) wrong.add("outside of poll");
            if (!Thread.currentThread().equals(owner)) wrong.add("on another thread");
          });
    }
    assertThat(backing.pending()).isEqualTo(PENDING_MAX);
    assertThat(backing.room()).isZero();
    assertThatThrownBy(() -> backing.stat(PATH, answer -> {}))
        .isInstanceOf(IllegalStateException.class);
    while (backing.pending() > 0) {
      backing.await(TimeUnit.SECONDS.toNanos(1));
      polling[0] = true;
      backing.poll();
      polling[0] = false;
    }
    assertThat(wrong).isEmpty();
    assertThat(backing.room()).isEqualTo(PENDING_MAX);
  }

  @Test
  void failuresAreAnswersAndSoAreErrors() throws Exception {
    List<Answer<?>> answers = new ArrayList<>();
    backing.stat(PATH, answers::add);
    settle();
    backing.<Integer>submit(
        store -> {
          throw new IllegalStateException("broken");
        },
        answers::add);
    settle();
    assertThat(answers).hasSize(2).allMatch(Answer.Failed.class::isInstance);
    assertThat(((Answer.Failed<?>) answers.get(0)).failure())
        .isInstanceOf(BackingFailure.NotFound.class);
    assertThat(((Answer.Failed<?>) answers.get(1)).failure().sentence()).contains("broken");
  }

  @Test
  void aLackOfMemoryIsAnsweredAndThrownOn() throws Exception {
    Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
    CountDownLatch thrown = new CountDownLatch(1);
    List<Answer<?>> answers = new ArrayList<>();
    Thread.setDefaultUncaughtExceptionHandler(
        (thread, error) -> {
          if (error instanceof OutOfMemoryError) thrown.countDown();
        });
    try {
      backing.<Integer>submit(
          store -> {
            throw new OutOfMemoryError("by the test");
          },
          answers::add);
      settle();
      assertThat(thrown.await(30, TimeUnit.SECONDS)).isTrue();
    } finally {
      Thread.setDefaultUncaughtExceptionHandler(before);
    }
    assertThat(answers).singleElement().isInstanceOf(Answer.Failed.class);
  }

  @Test
  void closingGivesUpWhatWaits() throws Exception {
    CountDownLatch started = new CountDownLatch(2);
    CountDownLatch go = new CountDownLatch(1);
    Path late = directory.resolve("late");
    for (int i = 0; i < 2; i++) {
      backing.run(
          store -> {
            started.countDown();
            awaitUninterruptibly(go);
          },
          answer -> {
            throw new AssertionError("answered after closing");
          });
    }
    backing.makeDirectory(
        BackingPath.of("late"),
        FileAttributes.NONE,
        answer -> {
          throw new AssertionError("answered after closing");
        });
    started.await();
    Thread closer = Thread.ofPlatform().start(backing::close);
    while (closer.getState() == Thread.State.NEW || closer.getState() == Thread.State.RUNNABLE) {
      Thread.onSpinWait();
    }
    go.countDown();
    closer.join();
    assertThat(backing.poll()).isZero();
    assertThat(Files.exists(late)).isFalse();
    assertThatThrownBy(() -> backing.stat(PATH, answer -> {}))
        .isInstanceOf(IllegalStateException.class);
  }

  private void settle() throws InterruptedException {
    while (backing.pending() > 0) {
      backing.await(TimeUnit.SECONDS.toNanos(1));
      backing.poll();
    }
  }

  private static <T> T value(Answer<T> answer) {
    assertThat(answer).isInstanceOf(Answer.Done.class);
    return ((Answer.Done<T>) answer).value();
  }

  private static void awaitUninterruptibly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException interrupt) {
      throw new AssertionError("interrupted", interrupt);
    }
  }
}
