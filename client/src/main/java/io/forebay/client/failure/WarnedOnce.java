// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.failure;

import io.forebay.client.core.route.Router;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * Passes warnings on, but only once that the cluster is insecure: for processes that connect again
 * and again. Any thread.
 */
public final class WarnedOnce implements Consumer<String> {
  private final Consumer<String> warnings;
  private final AtomicBoolean told = new AtomicBoolean();

  public WarnedOnce(Consumer<String> warnings) {
    this.warnings = warnings;
  }

  @Override
  public void accept(String sentence) {
    if (sentence.equals(Router.INSECURE) && told.getAndSet(true)) return;
    warnings.accept(sentence);
  }
}
