// SPDX-License-Identifier: Apache-2.0

package io.forebay.backing.posix;

import io.forebay.backing.BackingProvider;
import io.forebay.backing.BackingStore;
import io.forebay.backing.BackingStores;
import io.forebay.backing.location.BackingLocation;
import io.forebay.backing.location.BackingRoots;
import io.forebay.base.ByteSize;
import java.nio.file.Path;
import java.util.Set;

/** Opens {@code posix:/dir}, {@code file:///dir} and plain paths. Stateless; any thread. */
public final class PosixProvider implements BackingProvider {
  private static final String STRIPE = "stripe";

  @Override
  public Set<String> schemes() {
    return Set.of("posix", "file");
  }

  @Override
  public BackingStore open(BackingLocation location, BackingStores stores) {
    location.requireKnown();
    Path directory = BackingRoots.directory(location);
    String stripe = location.setting(STRIPE);
    if (stripe == null) return new PosixStore(directory, stores.access());
    long stripeBytes = ByteSize.parse(stripe).bytes();
    if (stripeBytes < 1) throw new IllegalArgumentException("stripe: at least one byte");
    return new PosixStore(directory, stripeBytes, stores.access());
  }
}
