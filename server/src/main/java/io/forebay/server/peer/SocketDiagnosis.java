// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.peer;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * Asks the kernel for one socket by its two addresses, through netlink (sock_diag(7)): some tens of
 * microseconds, however many sockets there are. Any thread.
 */
final class SocketDiagnosis implements SocketOwner {
  // Numbers of the kernel's interface.
  private static final int AF_INET = 2;
  private static final int AF_INET6 = 10;
  private static final int AF_NETLINK = 16;
  private static final int SOCK_RAW = 3;
  private static final int NETLINK_SOCK_DIAG = 4;
  private static final int IPPROTO_TCP = 6;
  private static final int MSG_DONTWAIT = 0x40;
  private static final short SOCK_DIAG_BY_FAMILY = 20;
  private static final short NLM_F_REQUEST = 1;
  private static final byte ESTABLISHED = 1;

  // struct nlmsghdr, then struct inet_diag_req_v2 or inet_diag_msg.
  private static final int TYPE_OFFSET = Integer.BYTES;
  private static final int BODY_OFFSET = 16;
  private static final int ADDRESS_BYTES = 16;
  private static final int ID_BYTES = 2 * Short.BYTES + 2 * ADDRESS_BYTES + 3 * Integer.BYTES;
  private static final int REQUEST_BYTES = BODY_OFFSET + 2 * Integer.BYTES + ID_BYTES;
  private static final int STATE_OFFSET = BODY_OFFSET + 1;
  private static final int USER_OFFSET = BODY_OFFSET + Integer.BYTES + ID_BYTES + 3 * Integer.BYTES;
  private static final int INODE_OFFSET = USER_OFFSET + Integer.BYTES;
  private static final int ANSWER_BYTES_MIN = INODE_OFFSET + Integer.BYTES;
  private static final int ANSWER_BYTES_MAX = 8192;

  private static final int ANY_COOKIE = -1;
  private static final int ALL_STATES = -1;

  private final MethodHandle socket;
  private final MethodHandle send;
  private final MethodHandle receive;
  private final MethodHandle close;

  private SocketDiagnosis() {
    this.socket = function("socket", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT));
    FunctionDescriptor transfer =
        FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT);
    this.send = function("send", transfer);
    this.receive = function("recv", transfer);
    this.close = function("close", FunctionDescriptor.of(JAVA_INT, JAVA_INT));
  }

  /** Null if this system has no such interface. */
  static @Nullable SocketDiagnosis find() {
    try {
      SocketDiagnosis found = new SocketDiagnosis();
      return found.isThere() ? found : null;
    } catch (RuntimeException e) {
      return null;
    }
  }

  @SuppressWarnings("restricted") // Processes are started with native access.
  private static MethodHandle function(String name, FunctionDescriptor shape) {
    Linker linker = Linker.nativeLinker();
    return linker.downcallHandle(linker.defaultLookup().findOrThrow(name), shape);
  }

  private boolean isThere() {
    try {
      int opened = (int) socket.invokeExact(AF_NETLINK, SOCK_RAW, NETLINK_SOCK_DIAG);
      if (opened < 0) return false;
      int closed = (int) close.invokeExact(opened);
      return closed == 0;
    } catch (Throwable e) {
      throw new IllegalStateException("calling the C library", e);
    }
  }

  @Override
  public OptionalInt userOf(InetSocketAddress own, InetSocketAddress other) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment request = arena.allocate(REQUEST_BYTES);
      write(request.asByteBuffer().order(ByteOrder.nativeOrder()), own, other);
      MemorySegment answer = arena.allocate(ANSWER_BYTES_MAX);
      long bytes = ask(request, answer);
      if (bytes < ANSWER_BYTES_MIN) return OptionalInt.empty();
      return read(answer.asByteBuffer().order(ByteOrder.nativeOrder()));
    }
  }

  /** The kernel answers within the call that sends the request. */
  private long ask(MemorySegment request, MemorySegment answer) {
    try {
      int opened = (int) socket.invokeExact(AF_NETLINK, SOCK_RAW, NETLINK_SOCK_DIAG);
      if (opened < 0) return -1;
      try {
        long sent = (long) send.invokeExact(opened, request, request.byteSize(), 0);
        if (sent != request.byteSize()) return -1;
        return (long) receive.invokeExact(opened, answer, answer.byteSize(), MSG_DONTWAIT);
      } finally {
        int closed = (int) close.invokeExact(opened);
        assert closed == 0 : "the socket was closed by another";
      }
    } catch (Throwable e) {
      throw new IllegalStateException("calling the C library", e);
    }
  }

  private static void write(ByteBuffer out, InetSocketAddress own, InetSocketAddress other) {
    out.putInt(REQUEST_BYTES).putShort(SOCK_DIAG_BY_FAMILY).putShort(NLM_F_REQUEST);
    out.putInt(0).putInt(0);
    out.put((byte) (SocketTable.isFour(own) ? AF_INET : AF_INET6)).put((byte) IPPROTO_TCP);
    out.put((byte) 0).put((byte) 0).putInt(ALL_STATES);
    ByteOrder order = out.order();
    out.order(ByteOrder.BIG_ENDIAN).putShort((short) own.getPort());
    out.putShort((short) other.getPort()).order(order);
    put(out, own.getAddress());
    put(out, other.getAddress());
    out.putInt(0).putInt(ANY_COOKIE).putInt(ANY_COOKIE);
  }

  private static void put(ByteBuffer out, InetAddress address) {
    byte[] bytes = address.getAddress();
    out.put(bytes).put(new byte[ADDRESS_BYTES - bytes.length]);
  }

  /** A socket that its process has closed has no inode, and seems to belong to root. */
  private static OptionalInt read(ByteBuffer answer) {
    boolean owned =
        answer.getShort(TYPE_OFFSET) == SOCK_DIAG_BY_FAMILY
            && answer.get(STATE_OFFSET) == ESTABLISHED
            && answer.getInt(INODE_OFFSET) != 0;
    return owned ? OptionalInt.of(answer.getInt(USER_OFFSET)) : OptionalInt.empty();
  }
}
