// SPDX-License-Identifier: Apache-2.0

package io.forebay.metrics.http;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsExchange;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A door for GET requests. Its bounds: connections, the size and the time of a request, the time of
 * an answer, and answers under way; a caller beyond a bound is refused or its connection closed. A
 * request passes these checks in turn:
 *
 * <ol>
 *   <li>with TLS, its certificate belongs to a reader (403);
 *   <li>without TLS, it names the door by an address or as localhost, so that no page in a browser
 *       reads it through a name of its own (421);
 *   <li>the method is GET (405), and the request has no body (413);
 *   <li>there is such a page (404);
 *   <li>not too many answers are under way (503).
 * </ol>
 */
public final class HttpDoor implements AutoCloseable {
  /** Connections of one process. */
  public static final int CONNECTIONS_MAX = 64;

  /** A caller sends its request, and takes the answer, within this time. */
  static final int REQUEST_SECONDS_MAX = 10;

  static final int ANSWER_SECONDS_MAX = 30;

  /** The request line and all headers. */
  static final int HEADER_BYTES_MAX = 16 * 1024;

  static final int HEADERS_MAX = 64;

  /** Answers that are made at the same time. */
  static final int ANSWERS_MAX = 8;

  private static final int NOT_FOUND = 404;
  private static final int FORBIDDEN = 403;
  private static final int METHOD_NOT_ALLOWED = 405;
  private static final int TOO_LARGE = 413;
  private static final int MISDIRECTED = 421;
  private static final int FAILED = 500;
  private static final int BUSY = 503;
  private static final int OK = 200;

  /** An address with or without a port, or localhost. */
  private static final Pattern HOST =
      Pattern.compile("(localhost|[0-9.]+|\\[[0-9a-fA-F:.%]+])(:[0-9]+)?");

  private static final Logger LOG = LoggerFactory.getLogger(HttpDoor.class);

  static {
    // The JDK reads them once, when its server is first used. What the operator has set stays.
    setUnlessGiven("jdk.httpserver.maxConnections", CONNECTIONS_MAX);
    setUnlessGiven("sun.net.httpserver.maxReqTime", REQUEST_SECONDS_MAX);
    setUnlessGiven("sun.net.httpserver.maxRspTime", ANSWER_SECONDS_MAX);
    setUnlessGiven("sun.net.httpserver.maxReqHeaderSize", HEADER_BYTES_MAX);
    setUnlessGiven("sun.net.httpserver.maxReqHeaders", HEADERS_MAX);
    setUnlessGiven("sun.net.httpserver.maxIdleConnections", CONNECTIONS_MAX / 2);
  }

  private static void setUnlessGiven(String property, int value) {
    if (System.getProperty(property) == null) {
      System.setProperty(property, Integer.toString(value));
    }
  }

  private final Map<String, Page> pages;
  private final Admission admission;
  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final Semaphore answers = new Semaphore(ANSWERS_MAX);

  private HttpDoor(HttpServer server, Admission admission, Map<String, Page> pages) {
    this.server = server;
    this.admission = admission;
    this.pages = Map.copyOf(pages);
  }

  /**
   * Opens a door.
   *
   * @param at port 0 is any free one
   * @param pages by their whole paths
   */
  public static HttpDoor open(InetSocketAddress at, Admission admission, Map<String, Page> pages)
      throws IOException {
    SSLContext tls = admission.tls();
    HttpServer server = tls == null ? HttpServer.create() : withTls(tls);
    server.bind(at, 0);
    HttpDoor door = new HttpDoor(server, admission, pages);
    server.createContext("/", door::handle);
    server.setExecutor(door.threads);
    server.start();
    return door;
  }

  private static HttpServer withTls(SSLContext tls) throws IOException {
    HttpsServer server = HttpsServer.create();
    server.setHttpsConfigurator(
        new HttpsConfigurator(tls) {
          @Override
          public void configure(HttpsParameters parameters) {
            SSLParameters of = tls.getDefaultSSLParameters();
            of.setNeedClientAuth(true);
            parameters.setSSLParameters(of);
          }
        });
    return server;
  }

  /** Where it listens, with the port that was chosen. */
  public InetSocketAddress address() {
    return server.getAddress();
  }

  private void handle(HttpExchange exchange) {
    try (exchange) {
      answer(exchange);
    } catch (IOException e) {
      LOG.debug("a caller of the HTTP door went away: {}", e.toString());
    }
  }

  private void answer(HttpExchange exchange) throws IOException {
    if (admission.tls() != null && !isReader(exchange)) {
      refuse(exchange, FORBIDDEN, "this certificate does not allow reading metrics");
      return;
    }
    if (admission.tls() == null && !isAddressed(exchange)) {
      refuse(exchange, MISDIRECTED, "name this door by its address");
      return;
    }
    if (!exchange.getRequestMethod().equals("GET")) {
      exchange.getResponseHeaders().set("Allow", "GET");
      refuse(exchange, METHOD_NOT_ALLOWED, "this door takes GET only");
      return;
    }
    if (hasBody(exchange)) {
      refuse(exchange, TOO_LARGE, "this door takes no bodies");
      return;
    }
    Page page = pages.get(exchange.getRequestURI().getPath());
    if (page == null) {
      refuse(exchange, NOT_FOUND, "there is " + String.join(", ", pages.keySet()));
      return;
    }
    if (!answers.tryAcquire()) {
      exchange.getResponseHeaders().set("Retry-After", "1");
      refuse(exchange, BUSY, "too many requests at once");
      return;
    }
    try {
      answer(exchange, page);
    } finally {
      answers.release();
    }
  }

  private static void answer(HttpExchange exchange, Page page) throws IOException {
    Page.Answer answer;
    try {
      answer = page.get(name -> header(exchange, name));
    } catch (RuntimeException e) {
      LOG.warn("the page '{}' could not be made", exchange.getRequestURI().getPath(), e);
      refuse(exchange, FAILED, "this page could not be made; the log tells why");
      return;
    }
    send(exchange, OK, answer);
  }

  private boolean isReader(HttpExchange exchange) {
    if (!(exchange instanceof HttpsExchange secure)) return false;
    try {
      List<X509Certificate> chain = new ArrayList<>();
      for (Certificate each : secure.getSSLSession().getPeerCertificates()) {
        if (each instanceof X509Certificate shown) chain.add(shown);
      }
      return !chain.isEmpty() && admission.reader().mayRead(chain);
    } catch (SSLPeerUnverifiedException e) {
      return false;
    }
  }

  private static boolean isAddressed(HttpExchange exchange) {
    String host = header(exchange, "Host");
    return host.isEmpty() || HOST.matcher(host).matches();
  }

  private static boolean hasBody(HttpExchange exchange) {
    String length = header(exchange, "Content-Length");
    return !header(exchange, "Transfer-Encoding").isEmpty()
        || !(length.isEmpty() || length.equals("0"));
  }

  private static String header(HttpExchange exchange, String name) {
    String value = exchange.getRequestHeaders().getFirst(name);
    return value == null ? "" : value;
  }

  /** The connection ends with it: what a refused caller still sends is not read. */
  private static void refuse(HttpExchange exchange, int status, String sentence)
      throws IOException {
    exchange.getResponseHeaders().set("Connection", "close");
    byte[] text = (sentence + "\n").getBytes(StandardCharsets.UTF_8);
    send(exchange, status, new Page.Answer("text/plain; charset=utf-8", text));
  }

  private static void send(HttpExchange exchange, int status, Page.Answer answer)
      throws IOException {
    exchange.getResponseHeaders().set("Content-Type", answer.contentType());
    exchange.getResponseHeaders().set("X-Content-Type-Options", "nosniff");
    exchange.getResponseHeaders().set("Cache-Control", "no-store");
    boolean head = exchange.getRequestMethod().equals("HEAD");
    exchange.sendResponseHeaders(status, head ? -1 : answer.bytes().length);
    if (!head) exchange.getResponseBody().write(answer.bytes());
  }

  /** Closes all connections; answers under way are cut off. */
  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
