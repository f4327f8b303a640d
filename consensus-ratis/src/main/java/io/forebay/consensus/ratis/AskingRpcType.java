// SPDX-License-Identifier: Apache-2.0

package io.forebay.consensus.ratis;

import io.forebay.wire.tls.TlsIdentity;
import java.util.List;
import org.apache.ratis.conf.Parameters;
import org.apache.ratis.grpc.GrpcConfigKeys;
import org.apache.ratis.grpc.GrpcFactory;
import org.apache.ratis.grpc.GrpcTlsConfig;
import org.apache.ratis.grpc.GrpcUtil;
import org.apache.ratis.grpc.server.GrpcServices;
import org.apache.ratis.grpc.server.GrpcServicesImpl;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto;
import org.apache.ratis.proto.RaftProtos.AppendEntriesRequestProto;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.rpc.RpcFactory;
import org.apache.ratis.rpc.RpcType;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.leader.FollowerInfo;
import org.apache.ratis.server.leader.LeaderState;
import org.apache.ratis.server.leader.LogAppender;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.thirdparty.io.netty.handler.ssl.SslContext;

/**
 * The engine's gRPC, whose leaders tell {@link Followers} of each answer, and which verifies each
 * connection afresh. The engine makes it by name. Any thread.
 */
public final class AskingRpcType implements RpcType {
  static final String FOLLOWERS = "forebay.followers";
  static final AskingRpcType INSTANCE = new AskingRpcType();

  /** The engine sets a type by its name, which for a type of our own is its class. */
  @Override
  public String name() {
    return AskingRpcType.class.getName();
  }

  @Override
  public String toString() {
    return name();
  }

  @Override
  public RpcFactory newFactory(Parameters parameters) {
    return new Factory(parameters, parameters.getNonNull(FOLLOWERS, Followers.class));
  }

  private static final class Factory extends GrpcFactory {
    private final Parameters parameters;
    private final Followers followers;

    Factory(Parameters parameters, Followers followers) {
      super(parameters);
      this.parameters = parameters;
      this.followers = followers;
    }

    /** As the engine does it, but for sessions of TLS. */
    @Override
    public GrpcServices newRaftServerRpc(RaftServer server) {
      GrpcTlsConfig tls = GrpcConfigKeys.TLS.conf(parameters);
      if (tls == null) return super.newRaftServerRpc(server);
      SslContext accepting = withoutTickets(GrpcUtil.buildSslContextForServer(tls));
      return GrpcServicesImpl.newBuilder()
          .setServer(server)
          .setCustomizer(GrpcConfigKeys.Server.servicesCustomizer(parameters))
          .setAdminSslContext(accepting)
          .setClientSslContext(accepting)
          .setServerSslContextForServer(accepting)
          .setServerSslContextForClient(withoutTickets(GrpcUtil.buildSslContextForClient(tls)))
          .build();
    }

    /** A resumed session would let a peer in whose certificate was revoked or has expired. */
    private static SslContext withoutTickets(SslContext context) {
      context.sessionContext().setSessionTimeout(TlsIdentity.NO_TICKETS_SECONDS);
      return context;
    }

    @Override
    public LogAppender newLogAppender(
        RaftServer.Division server, LeaderState state, FollowerInfo f) {
      LogAppender made = super.newLogAppender(server, new Watched(state, followers), f);
      followers.add(made);
      return made;
    }
  }

  /** Passes everything on, and tells of answers. */
  private record Watched(LeaderState leader, Followers followers) implements LeaderState {
    @Override
    public void restart(LogAppender appender) {
      leader.restart(appender);
    }

    @Override
    public AppendEntriesRequestProto newAppendEntriesRequestProto(
        FollowerInfo follower, List<LogEntryProto> entries, TermIndex previous, long callId) {
      return leader.newAppendEntriesRequestProto(follower, entries, previous, callId);
    }

    @Override
    public void checkHealth(FollowerInfo follower) {
      leader.checkHealth(follower);
    }

    @Override
    public boolean onFollowerTerm(FollowerInfo follower, long followerTerm) {
      return leader.onFollowerTerm(follower, followerTerm);
    }

    @Override
    public void onFollowerCommitIndex(FollowerInfo follower, long commitIndex) {
      leader.onFollowerCommitIndex(follower, commitIndex);
    }

    @Override
    public void onFollowerSuccessAppendEntries(FollowerInfo follower) {
      leader.onFollowerSuccessAppendEntries(follower);
    }

    @Override
    public boolean isFollowerBootstrapping(FollowerInfo follower) {
      return leader.isFollowerBootstrapping(follower);
    }

    @Override
    public void onAppendEntriesReply(LogAppender appender, AppendEntriesReplyProto reply) {
      leader.onAppendEntriesReply(appender, reply);
      followers.answered(appender, reply);
    }
  }
}
