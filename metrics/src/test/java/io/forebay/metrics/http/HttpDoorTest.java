// SPDX-License-Identifier: Apache-2.0

package io.forebay.metrics.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class HttpDoorTest {
  private static final String GET =
      "GET /page HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n";

  private final CountDownLatch slowIsAsked = new CountDownLatch(HttpDoor.ANSWERS_MAX);
  private final CountDownLatch slowMayAnswer = new CountDownLatch(1);
  private HttpDoor door;

  @BeforeEach
  void open() throws IOException {
    Page page = request -> text("you accept " + request.header("Accept"));
    Page broken =
        request -> {
          throw new IllegalStateException("broken");
        };
    Page slow =
        request -> {
          slowIsAsked.countDown();
          try {
            slowMayAnswer.await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
          return text("late");
        };
    door =
        HttpDoor.open(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            Admission.OPEN,
            Map.of("/page", page, "/broken", broken, "/slow", slow));
  }

  @AfterEach
  void close() {
    slowMayAnswer.countDown();
    door.close();
  }

  private static Page.Answer text(String text) {
    return new Page.Answer("text/plain", text.getBytes(StandardCharsets.UTF_8));
  }

  private Socket dial() throws IOException {
    return new Socket(door.address().getAddress(), door.address().getPort());
  }

  /** All that comes back until the door closes the connection; empty if it does so at once. */
  private String exchange(String request) throws IOException {
    try (Socket socket = dial()) {
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    } catch (java.net.SocketException reset) {
      return "";
    }
  }

  @Test
  void answersGet() throws IOException {
    String answer = exchange(GET + "Accept: this\r\n\r\n");
    assertThat(answer).startsWith("HTTP/1.1 200 ").endsWith("you accept this");
    assertThat(answer).contains("X-content-type-options: nosniff");
  }

  @Test
  void takesNoOtherMethod() throws IOException {
    for (String method : List.of("POST", "PUT", "DELETE", "HEAD", "OPTIONS", "TRACE")) {
      String answer = exchange(GET.replace("GET", method) + "\r\n");
      assertThat(answer).as(method).startsWith("HTTP/1.1 405 ").contains("Allow: GET");
    }
  }

  @Test
  void takesNoBody() throws IOException {
    assertThat(exchange(GET + "Content-Length: 5\r\n\r\nhello")).startsWith("HTTP/1.1 413 ");
    assertThat(exchange(GET + "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n"))
        .startsWith("HTTP/1.1 413 ");
  }

  @Test
  void refusesWhatIsTooLarge() throws IOException {
    String large = "x".repeat(HttpDoor.HEADER_BYTES_MAX);
    assertThat(exchange(GET + "X-Large: " + large + "\r\n\r\n")).doesNotContain("200 OK");
    assertThat(exchange(GET.replace("/page", "/page?" + large) + "\r\n")).doesNotContain("200 OK");
    StringBuilder many = new StringBuilder(GET);
    for (int i = 0; i <= HttpDoor.HEADERS_MAX; i++) many.append("X-" + i + ": y\r\n");
    assertThat(exchange(many + "\r\n")).doesNotContain("200 OK");
    // The next caller is served.
    assertThat(exchange(GET + "\r\n")).startsWith("HTTP/1.1 200 ");
  }

  @Test
  void hasOnlyItsPages() throws IOException {
    for (String path : List.of("/", "/pages", "/page/", "/../page", "//page")) {
      assertThat(exchange(GET.replace("/page", path) + "\r\n")).as(path).contains(" 404 ");
    }
  }

  @Test
  void isNamedByItsAddressOnly() throws IOException {
    String other = GET.replace("127.0.0.1", "rebound.example.com");
    assertThat(exchange(other + "\r\n")).startsWith("HTTP/1.1 421 ");
    for (String host : List.of("localhost:7090", "10.0.0.1:80", "[::1]:7090")) {
      assertThat(exchange(GET.replace("127.0.0.1", host) + "\r\n")).startsWith("HTTP/1.1 200 ");
    }
  }

  @Test
  void aBrokenPageIsToldWithoutDetails() throws IOException {
    assertThat(exchange(GET.replace("/page", "/broken") + "\r\n"))
        .startsWith("HTTP/1.1 500 ")
        .doesNotContain("IllegalState");
  }

  @Test
  void makesFewAnswersAtOnce() throws Exception {
    List<CompletableFuture<String>> answers = new ArrayList<>();
    for (int i = 0; i < HttpDoor.ANSWERS_MAX; i++) {
      answers.add(
          CompletableFuture.supplyAsync(
              () -> {
                try {
                  return exchange(GET.replace("/page", "/slow") + "\r\n");
                } catch (IOException e) {
                  return e.toString();
                }
              },
              command -> Thread.ofVirtual().start(command)));
    }
    slowIsAsked.await();
    assertThat(exchange(GET + "\r\n")).startsWith("HTTP/1.1 503 ");
    slowMayAnswer.countDown();
    for (CompletableFuture<String> answer : answers) {
      assertThat(answer.get()).startsWith("HTTP/1.1 200 ");
    }
    assertThat(exchange(GET + "\r\n")).startsWith("HTTP/1.1 200 ");
  }

  @Test
  void hasFewConnections() throws IOException {
    List<Socket> idle = new ArrayList<>();
    try {
      for (int i = 0; i < HttpDoor.CONNECTIONS_MAX; i++) idle.add(dial());
      assertThat(exchange(GET + "\r\n")).isEmpty();
    } finally {
      for (Socket each : idle) each.close();
    }
    String answer = "";
    while (answer.isEmpty()) answer = exchange(GET + "\r\n");
    assertThat(answer).startsWith("HTTP/1.1 200 ");
  }
}
