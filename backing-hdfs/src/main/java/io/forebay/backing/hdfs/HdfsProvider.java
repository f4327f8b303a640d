// SPDX-License-Identifier: Apache-2.0

package io.forebay.backing.hdfs;

import io.forebay.backing.BackingProvider;
import io.forebay.backing.BackingStore;
import io.forebay.backing.BackingStores;
import io.forebay.backing.location.BackingLocation;
import java.util.Set;

/** Opens {@code hdfs://host:port/dir}. Stateless; any thread. */
public final class HdfsProvider implements BackingProvider {
  @Override
  public Set<String> schemes() {
    return Set.of("hdfs");
  }

  @Override
  public BackingStore open(BackingLocation location, BackingStores stores) {
    return new HdfsStore(HdfsSettings.of(location));
  }
}
