// SPDX-License-Identifier: Apache-2.0

package io.forebay.consensus.ratis;

import java.util.List;
import org.apache.ratis.conf.Parameters;
import org.apache.ratis.grpc.GrpcFactory;
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

/**
 * The engine's gRPC, whose leaders tell {@link Followers} of each answer. The engine makes it by
 * name. Any thread.
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
    private final Followers followers;

    Factory(Parameters parameters, Followers followers) {
      super(parameters);
      this.followers = followers;
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
