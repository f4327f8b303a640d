// SPDX-License-Identifier: Apache-2.0

package io.forebay.consensus.ratis;

import io.forebay.seat.consensus.Peer;
import io.forebay.server.consensus.GroupConfig;
import java.io.IOException;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.protocol.SetConfigurationRequest;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.thirdparty.com.google.protobuf.UnsafeByteOperations;
import org.apache.ratis.util.ExitUtils;
import org.jspecify.annotations.Nullable;

/**
 * The engine's server of one node. The loop hands requests over, and one thread of this class
 * submits them in that order: the engine makes its callers wait for locks that it holds while it
 * forces files.
 */
final class Engine implements AutoCloseable {
  /** Told how a request ended: null for success, otherwise why not. By any thread. */
  interface Ended {
    void ended(@Nullable String failure);
  }

  private static final int CAUSES_MAX = 10;

  private final RaftServer server;
  private final RaftServer.Division division;
  private final RaftPeerId self;
  private final RaftGroupId group;
  private final ClientId client = ClientId.randomId();
  private final ExecutorService submitter;

  private Engine(
      RaftServer server, RaftServer.Division division, RaftPeerId self, RaftGroupId group) {
    this.server = server;
    this.division = division;
    this.self = self;
    this.group = group;
    submitter =
        Executors.newSingleThreadExecutor(
            Thread.ofPlatform().daemon().name("consensus-" + self).factory());
  }

  /** Opens the files, without starting anything. */
  static Engine open(
      GroupConfig config,
      GroupDirectory directory,
      GroupTimes times,
      LoopStateMachine machine,
      Followers followers)
      throws IOException {
    keepProcess();
    EngineLog.quiet();
    // The JDK's sockets will do; Netty's own would be unpacked into the temporary directory.
    System.setProperty("org.apache.ratis.thirdparty.io.netty.transport.noNative", "true");
    RaftGroupId group = RaftGroupId.valueOf(config.cluster());
    Peer self = directory.self();
    RaftGroup members =
        directory.isFounder() ? RaftGroup.valueOf(group, peer(self)) : RaftGroup.valueOf(group);
    return withOwnClasses(
        () -> {
          RaftServer server =
              RaftServer.newBuilder()
                  .setServerId(RaftPeerId.valueOf(self.id()))
                  .setGroup(members)
                  .setStateMachine(machine)
                  .setOption(RaftStorage.StartupOption.RECOVER)
                  .setProperties(EngineSettings.properties(self, directory.engine(), times))
                  .setParameters(EngineSettings.parameters(config, followers))
                  .build();
          RaftServer.Division division = server.getDivision(group);
          machine.setDivision(division);
          return new Engine(server, division, server.getId(), group);
        });
  }

  /** The engine would end the process for an error of any thread, even of those it has not made. */
  private static void keepProcess() {
    Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
    ExitUtils.disableSystemExit();
    ExitUtils.setTerminateOnUncaughtException(false);
    Thread.setDefaultUncaughtExceptionHandler(before);
  }

  /** Something that may fail. */
  private interface Work<T> {
    T run() throws IOException;
  }

  /** The engine finds its classes by name with the loader of the thread. */
  private static <T> T withOwnClasses(Work<T> work) throws IOException {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    thread.setContextClassLoader(Engine.class.getClassLoader());
    try {
      return work.run();
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  /** Reads the log, listens, and takes part. */
  void start() throws IOException {
    withOwnClasses(
        () -> {
          server.start();
          return true;
        });
  }

  /** Appends an entry; it may count whatever the answer is. */
  void append(long number, byte[] entry, Ended ended) {
    RaftClientRequest request =
        RaftClientRequest.newBuilder()
            .setClientId(client)
            .setServerId(self)
            .setGroupId(group)
            .setCallId(number)
            .setMessage(Message.valueOf(UnsafeByteOperations.unsafeWrap(entry)))
            .setType(RaftClientRequest.writeRequestType())
            .build();
    submit(() -> server.submitClientRequestAsync(request), ended);
  }

  void changeMembers(long number, List<Peer> peers, Ended ended) {
    SetConfigurationRequest request =
        new SetConfigurationRequest(
            client,
            self,
            group,
            number,
            SetConfigurationRequest.Arguments.newBuilder()
                .setServersInNewConf(peers.stream().map(Engine::peer).toList())
                .build());
    submit(() -> server.setConfigurationAsync(request), ended);
  }

  private void submit(Work<CompletableFuture<RaftClientReply>> request, Ended ended) {
    submitter.execute(
        () -> {
          try {
            var _ =
                request
                    .run()
                    .whenComplete((reply, failure) -> ended.ended(failure(reply, failure)));
          } catch (IOException | RuntimeException e) {
            ended.ended(reasonOf(e));
          }
        });
  }

  private static @Nullable String failure(
      @Nullable RaftClientReply reply, @Nullable Throwable failure) {
    if (failure != null) return reasonOf(failure);
    if (reply == null) return "no answer";
    return reply.isSuccess() ? null : reasonOf(reply.getException());
  }

  /** What a failure says, in few words: the innermost message. */
  static String reasonOf(@Nullable Throwable failure) {
    if (failure == null) return "no reason is known";
    Throwable cause = failure;
    for (int i = 0; i < CAUSES_MAX && cause.getCause() != null; i++) cause = cause.getCause();
    String message = cause.getMessage();
    return message == null || message.isBlank() ? cause.getClass().getSimpleName() : message;
  }

  /** The members of the present configuration. */
  Collection<RaftPeer> current() {
    return division.getRaftConf().getCurrentPeers();
  }

  /** Those of the one before, while both must agree; otherwise none. */
  Collection<RaftPeer> previous() {
    return division.getRaftConf().getPreviousPeers();
  }

  /** All whose votes count: those of the present configuration and of the one before. */
  Collection<RaftPeer> voters() {
    Map<RaftPeerId, RaftPeer> voters = new LinkedHashMap<>();
    for (RaftPeer each : current()) voters.put(each.getId(), each);
    for (RaftPeer each : previous()) voters.putIfAbsent(each.getId(), each);
    return voters.values();
  }

  RaftPeerId self() {
    return self;
  }

  @Nullable RaftPeerId leader() {
    return division.getInfo().getLeaderId();
  }

  long term() {
    return division.getInfo().getCurrentTerm();
  }

  long nextIndex() {
    return division.getRaftLog().getNextIndex();
  }

  static RaftPeer peer(Peer peer) {
    return RaftPeer.newBuilder()
        .setId(peer.id())
        .setAddress(peer.address())
        .setClientAddress(peer.clientAddress())
        .build();
  }

  static Peer peer(RaftPeer peer) {
    String id = peer.getId().toString();
    int dash = id.lastIndexOf('-');
    return new Peer(
        id.substring(0, dash), id.substring(dash + 1), peer.getAddress(), peer.getClientAddress());
  }

  @Override
  public void close() throws IOException {
    submitter.shutdownNow();
    server.close();
  }
}
