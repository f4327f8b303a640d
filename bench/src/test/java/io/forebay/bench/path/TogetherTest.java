// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.path;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class TogetherTest {
  @Test
  void everyPartRunsOnceAndIsClosed() throws Exception {
    AtomicInteger ran = new AtomicInteger();
    AtomicInteger closed = new AtomicInteger();
    long nanos =
        Together.preparedNanos(
            3,
            index ->
                new Together.Prepared() {
                  @Override
                  public void run() {
                    ran.incrementAndGet();
                  }

                  @Override
                  public void close() {
                    closed.incrementAndGet();
                  }
                });
    assertThat(nanos).isNotNegative();
    assertThat(ran).hasValue(3);
    assertThat(closed).hasValue(3);
  }

  @Test
  void aFailureEndsTheMeasurement() {
    assertThatThrownBy(
            () ->
                Together.nanos(
                    2,
                    index -> {
                      if (index == 1) throw new IOException("the disk is gone");
                    }))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("the disk is gone");
    assertThatThrownBy(
            () ->
                Together.preparedNanos(
                    2,
                    index -> {
                      throw new IOException("no route to host");
                    }))
        .hasMessageContaining("no route to host");
    assertThatThrownBy(
            () ->
                Together.nanos(
                    1,
                    index -> {
                      throw new AssertionError("an error, too");
                    }))
        .hasMessageContaining("an error, too");
  }
}
