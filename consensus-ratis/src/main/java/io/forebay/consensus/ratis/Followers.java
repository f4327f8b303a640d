// SPDX-License-Identifier: Apache-2.0

package io.forebay.consensus.ratis;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.leader.LogAppender;
import org.jspecify.annotations.Nullable;

/**
 * The followers of this node while it leads, by the engine's threads that send to them. Any thread.
 */
final class Followers {
  private final Map<RaftPeerId, LogAppender> appenders = new ConcurrentHashMap<>();

  /** Gets answers that recognize this node as the leader: by whom, and to which call. */
  private final BiConsumer<LogAppender, Long> answers;

  /** Answers are told only while a question is open. */
  private volatile boolean asking;

  Followers(BiConsumer<LogAppender, Long> answers) {
    this.answers = answers;
  }

  void add(LogAppender appender) {
    appenders.put(appender.getFollowerId(), appender);
  }

  @Nullable LogAppender get(RaftPeerId peer) {
    return appenders.get(peer);
  }

  void setAsking(boolean asking) {
    this.asking = asking;
  }

  void answered(LogAppender appender, AppendEntriesReplyProto reply) {
    if (asking && reply.getServerReply().getSuccess()) {
      answers.accept(appender, reply.getServerReply().getCallId());
    }
  }
}
