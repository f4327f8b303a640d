package io.forebay.backing.posix;

import io.forebay.backing.BackingLocation;
import io.forebay.backing.BackingProvider;
import io.forebay.backing.BackingStore;
import io.forebay.backing.BackingStores;
import io.forebay.base.ByteSize;
import java.nio.file.InvalidPathException;
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
    String stripe = location.setting(STRIPE);
    if (stripe == null) return new PosixStore(directory(location));
    long stripeBytes = ByteSize.parse(stripe).bytes();
    if (stripeBytes < 1) throw new IllegalArgumentException("stripe: at least one byte");
    return new PosixStore(directory(location), stripeBytes);
  }

  private static Path directory(BackingLocation location) {
    String text = location.rest();
    // file://host/dir is somebody else's directory; file:///dir and file:/dir are ours.
    if (text.startsWith("//")) text = text.substring(2);
    if (!text.startsWith("/")) {
      throw new IllegalArgumentException(
          "'%s' is not a backing directory: give its path from the root on, such as /scratch/out"
              .formatted(location.rest()));
    }
    try {
      return Path.of(text).normalize();
    } catch (InvalidPathException invalid) {
      throw new IllegalArgumentException(
          "'%s' is not a path: %s".formatted(text, invalid.getReason()), invalid);
    }
  }
}
