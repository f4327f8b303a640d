// SPDX-License-Identifier: Apache-2.0

package io.forebay.consensus.ratis;

import io.forebay.seat.consensus.Peer;
import io.forebay.server.consensus.GroupConfig;
import io.forebay.wire.Address;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.RaftConfigKeys;
import org.apache.ratis.conf.Parameters;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.grpc.GrpcConfigKeys;
import org.apache.ratis.grpc.GrpcTlsConfig;
import org.apache.ratis.server.RaftServerConfigKeys;
import org.apache.ratis.thirdparty.io.netty.handler.ssl.SslProvider;
import org.apache.ratis.util.SizeInBytes;
import org.apache.ratis.util.TimeDuration;

/** The engine's settings, each with its reason where it is not the engine's own. Any thread. */
final class EngineSettings {
  /** The largest entry that the engine takes, with its head. */
  static final int ENTRY_BYTES_MAX = 4 * 1024 * 1024;

  private static final int PREALLOCATED_BYTES = 1024 * 1024;

  /** The engine adds its own head to an entry. */
  private static final int ENGINE_HEAD_BYTES = 64 * 1024;

  private static final int SNAPSHOTS_KEPT = 2;

  /** A paused process steps down when it runs again; it need not end for good. */
  private static final Duration PAUSE_MAX = Duration.ofDays(365);

  private EngineSettings() {}

  static RaftProperties properties(Peer self, Path directory, GroupTimes times) {
    RaftProperties properties = new RaftProperties();
    RaftConfigKeys.Rpc.setType(properties, AskingRpcType.INSTANCE);
    RaftServerConfigKeys.setStorageDir(properties, List.of(directory.toFile()));
    Address.Inet listen = (Address.Inet) Address.parse(self.address());
    GrpcConfigKeys.Server.setHost(properties, listen.host());
    GrpcConfigKeys.Server.setPort(properties, listen.port());
    elections(properties, times);
    log(properties, times);
    return properties;
  }

  private static void elections(RaftProperties properties, GroupTimes times) {
    TimeDuration max = time(times.electionMax());
    RaftServerConfigKeys.Rpc.setTimeoutMin(properties, time(times.electionMin()));
    RaftServerConfigKeys.Rpc.setTimeoutMax(properties, max);
    // A leader that lost its majority for a moment may have the only full log of those alive: by
    // default it would not stand for election for 10 s.
    RaftServerConfigKeys.LeaderElection.setLeaderStepDownWaitTime(properties, max);
    // On a busy machine threads wake late, which is no reason to put an election off.
    RaftServerConfigKeys.setSleepDeviationThreshold(properties, max);
    RaftServerConfigKeys.setCloseThreshold(properties, time(PAUSE_MAX));
    // From one manager to three in one step.
    RaftServerConfigKeys.LeaderElection.setMemberMajorityAdd(properties, true);
    RaftServerConfigKeys.setStagingTimeout(properties, TimeDuration.valueOf(10, TimeUnit.SECONDS));
    // A follower that comes back is found soon; the default waits for up to 5 s.
    RaftServerConfigKeys.Log.Appender.setRetryPolicy(properties, "5ms,10, 200ms,1000");
    // No request is sent twice: the outcome of a failed one is unknown.
    RaftServerConfigKeys.RetryCache.setExpiryTime(
        properties, TimeDuration.valueOf(10, TimeUnit.SECONDS));
  }

  private static void log(RaftProperties properties, GroupTimes times) {
    SizeInBytes entry = SizeInBytes.valueOf(ENTRY_BYTES_MAX + ENGINE_HEAD_BYTES);
    RaftServerConfigKeys.Log.Appender.setBufferByteLimit(properties, entry);
    RaftServerConfigKeys.Log.setWriteBufferSize(
        properties, SizeInBytes.valueOf(entry.getSize() + ENGINE_HEAD_BYTES));
    RaftServerConfigKeys.Log.setSegmentSizeMax(
        properties, SizeInBytes.valueOf(times.segmentBytes()));
    RaftServerConfigKeys.Log.setPreallocatedSize(
        properties, SizeInBytes.valueOf(Math.min(PREALLOCATED_BYTES, times.segmentBytes())));
    RaftServerConfigKeys.Log.setSegmentCacheNumMax(properties, 2);
    // A follower that is down must not fill the disks of the others: it gets a snapshot.
    RaftServerConfigKeys.Log.setPurgeUptoSnapshotIndex(properties, true);
    RaftServerConfigKeys.Log.setPurgeGap(properties, 1);
    RaftServerConfigKeys.Snapshot.setAutoTriggerEnabled(properties, true);
    RaftServerConfigKeys.Snapshot.setAutoTriggerThreshold(properties, times.snapshotEntries());
    RaftServerConfigKeys.Snapshot.setTriggerWhenStopEnabled(properties, false);
    RaftServerConfigKeys.Snapshot.setTriggerWhenRemoveEnabled(properties, false);
    RaftServerConfigKeys.Snapshot.setRetentionFileNum(properties, SNAPSHOTS_KEPT);
  }

  static Parameters parameters(GroupConfig config, Followers followers) {
    Parameters parameters = new Parameters();
    parameters.put(AskingRpcType.FOLLOWERS, followers, Followers.class);
    GrpcConfigKeys.Server.setServicesCustomizer(parameters, new PeersOnly());
    GroupConfig.Tls tls = config.tls();
    if (tls != null) {
      GrpcTlsConfig.Builder builder =
          GrpcTlsConfig.newBuilder()
              .setKeyManager(tls.keys())
              .setTrustManager(tls.trust())
              .setMutualTls(true)
              .setSslProvider(SslProvider.JDK)
              .setProtocols("TLSv1.3");
      GrpcConfigKeys.TLS.setConf(parameters, builder.build());
    }
    return parameters;
  }

  private static TimeDuration time(Duration duration) {
    return TimeDuration.valueOf(duration.toMillis(), TimeUnit.MILLISECONDS);
  }
}
