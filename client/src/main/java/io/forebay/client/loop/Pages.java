// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.loop;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/** Iterates over a long list that is fetched page by page, each when it is needed. */
public final class Pages<T> implements Iterator<T> {
  /** Some entries, and whether there are more behind them. */
  public record Page<T>(List<T> entries, boolean more) {}

  /** Fetches the entries after one, or from the beginning if that is null. */
  public interface Source<T> {
    Page<T> behind(@Nullable T last) throws IOException;
  }

  private final Source<T> source;
  private final ArrayDeque<T> ready = new ArrayDeque<>();
  private @Nullable T last;
  private boolean more;

  /** Fetches the first page, so that a missing directory fails at once. */
  public Pages(Source<T> source) throws IOException {
    this.source = source;
    take(source.behind(null));
  }

  @Override
  public boolean hasNext() {
    try {
      while (ready.isEmpty() && more) take(source.behind(last));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return !ready.isEmpty();
  }

  @Override
  public T next() {
    if (!hasNext()) throw new NoSuchElementException();
    T next = ready.remove();
    last = next;
    return next;
  }

  private void take(Page<T> page) {
    ready.addAll(page.entries());
    more = page.more() && !page.entries().isEmpty();
  }
}
