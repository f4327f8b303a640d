// SPDX-License-Identifier: Apache-2.0

package io.forebay.client;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.forebay.client.durability.DrainProgress;
import io.forebay.client.durability.DrainStarted;
import io.forebay.client.durability.Drains;
import io.forebay.client.durability.Ledger;
import io.forebay.client.durability.NotDurableException;
import io.forebay.client.failure.ForebayException;
import io.forebay.client.fake.FakeRing;
import io.forebay.client.fake.FakeServer;
import io.forebay.client.fake.SimulatedWorld;
import io.forebay.ring.DrainSpec;
import io.forebay.ring.Instance;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Names;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What programs ask about the backing store; nothing is drained but what the test drains. */
@Timeout(60)
class DrainTest {
  private static final Duration LONG = Duration.ofSeconds(50);

  private FakeServer server;
  private Forebay client;
  private String uri;

  @BeforeEach
  void connect() throws IOException {
    server = new FakeServer(3, 2, 0);
    DrainSpec spec = new DrainSpec("posix:/data", "request");
    uri =
        server.on(
            ring -> {
              ring.addInstance(
                  "backed", 2, 0, Instance.Access.SHARED, SimulatedWorld.STRIPES, spec);
              return ring.uri("backed");
            });
    client = Forebay.connect(uri);
  }

  @AfterEach
  void disconnect() throws IOException {
    client.close();
    server.close();
  }

  private void on(Consumer<FakeRing> what) {
    boolean unused =
        server.<Boolean>on(
            ring -> {
              what.accept(ring);
              return true;
            });
  }

  private void write(String path, int length) throws IOException {
    try (ForebayFile file = client.open(path, WRITE, CREATE)) {
      file.write(ByteBuffer.allocate(length), 0);
    }
  }

  @Test
  void whatIsReleasedIsReadThroughPathsToo() throws IOException {
    byte[] bytes = new byte[3_000_000];
    new java.util.Random(1).nextBytes(bytes);
    try (ForebayFile file = client.open("/data", WRITE, CREATE)) {
      file.write(ByteBuffer.wrap(bytes), 0);
    }
    on(ring -> ring.release("backed", "data"));
    Path path = Path.of(java.net.URI.create(uri + "/data"));
    assertThat(Files.readAllBytes(path)).isEqualTo(bytes);
    path.getFileSystem().close();
  }

  @Test
  void theLedgerTellsOfEveryFile() throws IOException {
    write("/a", 1000);
    client.mkdir("/sub");
    write("/sub/b", 2000);
    write("/sub/c", 3000);
    on(
        ring -> {
          ring.release("backed", "a");
          ring.failDrain("backed", "sub/b", "the store is full");
          ring.trouble("backed", "the store does not answer");
        });
    Ledger ledger = client.ledger();
    assertThat(ledger.trouble()).isEqualTo("the store does not answer");
    assertThat(ledger.entries())
        .extracting(Ledger.Entry::path)
        .containsExactly("/a", "/sub/b", "/sub/c");
    assertThat(ledger.entries())
        .extracting(Ledger.Entry::state)
        .containsExactly(Ledger.State.DURABLE, Ledger.State.WAITING, Ledger.State.BUFFERED);
    assertThat(ledger.entries().get(0).backed()).isTrue();
    assertThat(ledger.entries().get(1).lastError()).isEqualTo("the store is full");
  }

  @Test
  void manyFilesAreFetchedPageByPage() throws IOException {
    int files = Drains.PAGE + 5;
    for (int i = 0; i < files; i++) client.open("/f" + i, WRITE, CREATE).close();
    assertThat(client.ledger().entries()).hasSize(files);
    long asked =
        server.<Long>on(
            ring ->
                ring.received.stream()
                    .filter(Names.Request.class::isInstance)
                    .filter(each -> ((Names.Request) each).what() instanceof Names.GetLedger)
                    .count());
    assertThat(asked).isEqualTo(2);
  }

  @Test
  void drainingIsAskedForAndAwaited() throws IOException {
    client.mkdir("/sub");
    write("/sub/a", 1000);
    write("/sub/b", 2000);
    write("/other", 4000);
    on(ring -> ring.drain("backed", "sub/a"));
    assertThat(client.drain("/sub")).isEqualTo(new DrainStarted(1, 2000));
    List<DrainProgress> seen = new ArrayList<>();
    client.awaitDurable(
        List.of("/sub", "/sub/b"),
        LONG,
        progress -> {
          seen.add(progress);
          if (seen.size() == 3) on(ring -> ring.drain("backed", "sub/b"));
        });
    assertThat(seen.get(0)).isEqualTo(new DrainProgress(1, 2, 1000, 3000, 0, ""));
    assertThat(seen.get(seen.size() - 1)).isEqualTo(new DrainProgress(2, 2, 3000, 3000, 0, ""));
  }

  @Test
  void aRequestThatWasForgottenIsMadeAgain() throws IOException {
    write("/a", 1000);
    int[] looks = {0};
    client.drainAndAwait(
        List.of("/a"),
        LONG,
        progress -> {
          if (++looks[0] == 1) on(ring -> ring.forgetDrain("backed", "a"));
          else if (state() == Ledger.State.WAITING) on(ring -> ring.drain("backed", "a"));
        });
    assertThat(state()).isEqualTo(Ledger.State.DURABLE);
  }

  private Ledger.State state() {
    try {
      return client.ledger().entries().get(0).state();
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  @Test
  void whatIsWrittenLaterIsNotWaitedFor() throws IOException {
    write("/a", 1000);
    int[] looks = {0};
    client.awaitDurable(
        List.of("/a"),
        LONG,
        progress -> {
          // Drained as it was, and written to before the ledger is looked at again.
          if (++looks[0] > 1) return;
          on(ring -> ring.drain("backed", "a"));
          try {
            write("/a", 500);
          } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
          }
        });
    assertThat(client.ledger().entries().get(0).state()).isEqualTo(Ledger.State.BUFFERED);
  }

  @Test
  void whatIsNotDurableInTimeIsTold() throws IOException {
    write("/a", 1000);
    write("/b", 1000);
    NotDurableException buffered =
        catchThrowableOfType(
            NotDurableException.class, () -> client.awaitDurable("/a", Duration.ZERO));
    assertThat(buffered.state()).isEqualTo(Ledger.State.BUFFERED);
    assertThat(buffered).hasMessageContaining("ask for it with 'forebay drain /a'");
    on(ring -> ring.failDrain("backed", "b", "the store is full"));
    NotDurableException failed =
        catchThrowableOfType(
            NotDurableException.class, () -> client.awaitDurable("/", Duration.ofMillis(10)));
    assertThat(failed.path()).isEqualTo("/b");
    assertThat(failed.state()).isEqualTo(Ledger.State.WAITING);
    assertThat(failed.lastError()).isEqualTo("the store is full");
    assertThat(failed.files()).isEqualTo(2);
    assertThat(failed)
        .hasMessageContaining("'/b' is not durable after ")
        .hasMessageContaining("last error: the store is full; so it is with 1 more; once");
  }

  @Test
  void nobodyWaitsForWhatNobodyAskedFor() throws IOException {
    write("/a", 1000);
    on(ring -> ring.drainOnRequest("backed"));
    assertThatThrownBy(() -> client.awaitDurable("/a", Duration.ofDays(1)))
        .isInstanceOf(NotDurableException.class)
        .hasMessageContaining("'/a' is not durable after ")
        .hasMessageContaining("drains nothing by itself: ask for it with 'forebay drain /a'");
  }

  @Test
  void whatIsDeletedMeanwhileIsNotWaitedFor() throws IOException {
    client.mkdir("/sub");
    write("/sub/a", 1000);
    write("/sub/b", 1000);
    int[] looks = {0};
    client.awaitDurable(
        List.of("/sub"),
        LONG,
        progress -> {
          if (++looks[0] == 1) delete("/sub/a", "/sub/b");
        });
    write("/sub/a", 1000);
    assertThatThrownBy(
            () -> client.awaitDurable(List.of("/sub/a"), LONG, progress -> delete("/sub/a")))
        .isInstanceOf(NoSuchFileException.class)
        .hasMessageContaining("deleted before it was durable");
    assertThatThrownBy(() -> client.awaitDurable("/none", LONG))
        .isInstanceOf(NoSuchFileException.class);
  }

  private void delete(String... paths) {
    try {
      for (String path : paths) client.unlink(path);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  @Test
  void aWaitCanBeInterrupted() throws IOException {
    write("/a", 1000);
    assertThatThrownBy(
            () ->
                client.awaitDurable(
                    List.of("/a"), LONG, progress -> Thread.currentThread().interrupt()))
        .isInstanceOf(InterruptedIOException.class);
    assertThat(Thread.interrupted()).isTrue();
  }

  @Test
  void withoutAStoreNothingIsDrained() throws IOException {
    try (Forebay other = Forebay.connect(server.uri())) {
      ForebayException refused =
          catchThrowableOfType(ForebayException.class, () -> other.drain("/"));
      assertThat(refused.code()).isEqualTo(ErrorCode.INVALID);
      assertThat(refused).hasMessageContaining("'scratch' has no backing store");
      assertThatThrownBy(() -> other.awaitDurable("/", LONG)).hasMessage(refused.getMessage());
      assertThatThrownBy(other::ledger).hasMessage(refused.getMessage());
    }
  }
}
