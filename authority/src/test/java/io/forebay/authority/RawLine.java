// SPDX-License-Identifier: Apache-2.0

package io.forebay.authority;

import io.forebay.wire.Address;
import io.forebay.wire.WireLimits;
import io.forebay.wire.frame.FrameHead;
import io.forebay.wire.frame.Frames;
import io.forebay.wire.frame.MalformedFrame;
import io.forebay.wire.message.Message;
import io.forebay.wire.tls.IdentityFiles;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/** A connection that says exactly what a test wants said, over TCP or TLS. One thread. */
final class RawLine implements AutoCloseable {
  private static final int PATIENCE_MILLIS = 30_000;

  /** A message that came back. */
  record Received(long request, Message message) {}

  private final Socket socket;
  private final DataInputStream in;
  private final Frames frames = new Frames();

  private RawLine(Socket socket) throws IOException {
    this.socket = socket;
    this.in = new DataInputStream(socket.getInputStream());
  }

  /** Dials; without a context it uses no TLS. */
  static RawLine dial(Address.Inet to, @Nullable SSLContext tls) throws IOException {
    Socket plain = new Socket();
    plain.connect(new InetSocketAddress(to.host(), to.port()), PATIENCE_MILLIS);
    plain.setSoTimeout(PATIENCE_MILLIS);
    plain.setTcpNoDelay(true);
    return new RawLine(
        tls == null
            ? plain
            : tls.getSocketFactory().createSocket(plain, to.host(), to.port(), true));
  }

  /**
   * What an end that believes every peer uses for TLS.
   *
   * @param own what it shows of itself; null for nothing
   */
  static SSLContext believingAll(@Nullable IdentityFiles own) throws IOException {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(own == null ? null : keys(own), new TrustManager[] {new BelievesAll()}, null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IOException(e);
    }
  }

  private static KeyManager[] keys(IdentityFiles own) throws IOException, GeneralSecurityException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    store.setKeyEntry(
        "own", own.key(), new char[0], new Certificate[] {own.certificate(), own.authority()});
    KeyManagerFactory factory = KeyManagerFactory.getInstance("SunX509");
    factory.init(store, new char[0]);
    return factory.getKeyManagers();
  }

  /** The bytes of a message. */
  byte[] frame(long request, Message message) {
    ByteBuffer encoded = frames.encode(request, message, Frames.NO_PAYLOAD);
    byte[] bytes = new byte[encoded.remaining()];
    encoded.get(bytes);
    return bytes;
  }

  /** Sends bytes; false if the other end has closed the connection. */
  boolean send(byte[] bytes) throws IOException {
    try {
      socket.getOutputStream().write(bytes);
      return true;
    } catch (InterruptedIOException e) {
      throw e;
    } catch (IOException closed) {
      return false;
    }
  }

  /** The next message; null when the other end has closed the connection. */
  @Nullable Received read() throws IOException {
    try {
      byte[] head = new byte[Frames.HEAD_BYTES];
      in.readFully(head);
      FrameHead read = frames.head(ByteBuffer.wrap(head), WireLimits.BODY_BYTES_MAX);
      byte[] body = new byte[read.bodyBytes()];
      in.readFully(body);
      Message message = frames.body(read, ByteBuffer.wrap(body));
      if (read.hasPayload()) in.skipNBytes(read.payloadBytes());
      return new Received(read.request(), message);
    } catch (InterruptedIOException late) {
      throw late;
    } catch (IOException closed) {
      return null;
    } catch (MalformedFrame e) {
      throw new IOException(e);
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }

  /** An outsider does not care to which process it speaks. */
  private static final class BelievesAll extends X509ExtendedTrustManager {
    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}
