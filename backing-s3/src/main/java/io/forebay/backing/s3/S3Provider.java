// SPDX-License-Identifier: Apache-2.0

package io.forebay.backing.s3;

import io.forebay.backing.BackingProvider;
import io.forebay.backing.BackingStore;
import io.forebay.backing.BackingStores;
import io.forebay.backing.location.BackingLocation;
import java.util.Set;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;

/** Opens {@code s3://bucket/prefix}. Stateless; any thread. */
public final class S3Provider implements BackingProvider {
  @Override
  public Set<String> schemes() {
    return Set.of("s3");
  }

  @Override
  public BackingStore open(BackingLocation location, BackingStores stores) {
    S3Settings settings = S3Settings.of(location);
    DefaultCredentialsProvider.Builder credentials = DefaultCredentialsProvider.builder();
    if (settings.profile() != null) credentials.profileName(settings.profile());
    return new S3Store(settings, credentials.build());
  }
}
