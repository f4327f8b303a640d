package io.forebay.backing.slow;

import io.forebay.backing.BackingLocation;
import io.forebay.backing.BackingProvider;
import io.forebay.backing.BackingStore;
import io.forebay.backing.BackingStores;
import io.forebay.base.MonotonicClock;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Opens {@code slow+ADDRESS}. Stateless; any thread. */
public final class SlowProvider implements BackingProvider {
  private static final Logger LOG = LoggerFactory.getLogger(SlowProvider.class);

  @Override
  public Set<String> schemes() {
    return Set.of(BackingLocation.SLOW);
  }

  @Override
  public BackingStore open(BackingLocation location, BackingStores stores) {
    BackingStore inner = stores.open(location.rest());
    return new SlowStore(inner, busy(inner.description()), MonotonicClock.system());
  }

  private static SlowPace.Busy busy(String store) {
    UUID name = UUID.nameUUIDFromBytes(store.getBytes(StandardCharsets.UTF_8));
    String user = System.getProperty("user.name", "nobody");
    Path file =
        Path.of(System.getProperty("java.io.tmpdir"), "forebay-slow-" + user, name.toString());
    try {
      return new SharedBusy(file);
    } catch (IOException unusable) {
      LOG.warn("{} cannot be used; the slow profile is for each process by itself", file, unusable);
      return new OwnBusy();
    }
  }

  /** For one process. */
  static final class OwnBusy implements SlowPace.Busy {
    private final AtomicLong until = new AtomicLong();

    @Override
    public long untilNanos() {
      return until.get();
    }

    @Override
    public boolean change(long expectedNanos, long untilNanos) {
      return until.compareAndSet(expectedNanos, untilNanos);
    }

    @Override
    public void close() {}
  }
}
