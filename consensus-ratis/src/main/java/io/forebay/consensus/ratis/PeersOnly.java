// SPDX-License-Identifier: Apache-2.0

package io.forebay.consensus.ratis;

import java.util.EnumSet;
import org.apache.ratis.grpc.server.GrpcServices;
import org.apache.ratis.proto.grpc.RaftServerProtocolServiceGrpc;
import org.apache.ratis.thirdparty.io.grpc.Metadata;
import org.apache.ratis.thirdparty.io.grpc.ServerCall;
import org.apache.ratis.thirdparty.io.grpc.ServerCallHandler;
import org.apache.ratis.thirdparty.io.grpc.ServerInterceptor;
import org.apache.ratis.thirdparty.io.grpc.Status;
import org.apache.ratis.thirdparty.io.grpc.netty.NettyServerBuilder;

/**
 * Refuses all calls but those of one node to another: managers propose in their own process, so
 * that the engine's interfaces for clients and administrators would only be ways past the manager.
 * Any thread.
 */
final class PeersOnly implements GrpcServices.Customizer, ServerInterceptor {
  @Override
  public NettyServerBuilder customize(
      NettyServerBuilder builder, EnumSet<GrpcServices.Type> types) {
    return builder.intercept(this);
  }

  @Override
  public <Q, A> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
    if (RaftServerProtocolServiceGrpc.SERVICE_NAME.equals(
        call.getMethodDescriptor().getServiceName())) {
      return next.startCall(call, headers);
    }
    call.close(Status.PERMISSION_DENIED, new Metadata());
    return new ServerCall.Listener<>() {};
  }
}
