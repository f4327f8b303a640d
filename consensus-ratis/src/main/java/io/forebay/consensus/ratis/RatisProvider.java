// SPDX-License-Identifier: Apache-2.0

package io.forebay.consensus.ratis;

import io.forebay.base.Bytes;
import io.forebay.seat.consensus.ConsensusGroup;
import io.forebay.server.consensus.ConsensusProvider;
import io.forebay.server.consensus.GroupConfig;
import java.io.IOException;
import java.nio.file.Path;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Groups on Apache Ratis; found as a service. Any thread. */
public final class RatisProvider implements ConsensusProvider {
  @Override
  public void found(GroupConfig config, @Nullable Bytes state) throws IOException {
    GroupDirectory.found(config, state);
  }

  @Override
  public @Nullable UUID cluster(Path directory) throws IOException {
    return GroupDirectory.cluster(directory);
  }

  @Override
  public ConsensusGroup open(GroupConfig config, Environment environment) throws IOException {
    return RatisConsensus.open(config, environment, GroupTimes.DEFAULT);
  }
}
