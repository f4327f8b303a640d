// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.limit;

import io.forebay.base.Bytes;
import io.forebay.wire.Address;
import io.forebay.wire.WireLimits;
import io.forebay.wire.frame.FrameHead;
import io.forebay.wire.frame.Frames;
import io.forebay.wire.frame.MalformedFrame;
import io.forebay.wire.message.Handshake;
import io.forebay.wire.message.Maps;
import io.forebay.wire.message.Message;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;

/** A client that sends what it likes. */
public final class StrangerSocket implements AutoCloseable {
  /** It was refused. */
  public static final class NotWelcome extends IOException {
    private static final long serialVersionUID = 1;

    NotWelcome(String why) {
      super(why);
    }
  }

  private static final int MILLIS_MAX = 60_000;

  private final Socket socket;
  private final Frames frames = new Frames();

  public StrangerSocket(Address.Inet door) throws IOException {
    socket = new Socket(door.host(), door.port());
    socket.setSoTimeout(MILLIS_MAX);
    send(
        0,
        new Handshake.Hello(
            Handshake.VERSION_MIN,
            Handshake.VERSION_MAX,
            Handshake.Role.CLIENT,
            Handshake.Lane.CONTROL,
            0,
            "stranger",
            1,
            Bytes.EMPTY),
        Frames.NO_PAYLOAD);
    Message answer = receive();
    if (answer instanceof Handshake.Welcome) return;
    socket.close();
    throw new NotWelcome(answer.toString());
  }

  public void send(long request, Message message, int payloadBytes) throws IOException {
    write(frames.encode(request, message, payloadBytes));
  }

  public void write(ByteBuffer bytes) throws IOException {
    byte[] array = new byte[bytes.remaining()];
    bytes.get(array);
    socket.getOutputStream().write(array);
  }

  /** The next message that is no map. */
  public Message receive() throws IOException {
    DataInputStream in = new DataInputStream(socket.getInputStream());
    while (true) {
      byte[] head = new byte[Frames.HEAD_BYTES];
      in.readFully(head);
      try {
        FrameHead read = frames.head(ByteBuffer.wrap(head), WireLimits.BODY_BYTES_MAX);
        byte[] body = new byte[read.bodyBytes()];
        in.readFully(body);
        Message message = frames.body(read, ByteBuffer.wrap(body));
        if (!(message instanceof Maps.MapIs)) return message;
      } catch (MalformedFrame e) {
        throw new IOException(e);
      }
    }
  }

  /** Whether the other end has closed it. */
  public boolean isClosed() {
    try {
      socket.setSoTimeout(1);
      return socket.getInputStream().read() < 0;
    } catch (SocketTimeoutException open) {
      return false;
    } catch (IOException reset) {
      return true;
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
