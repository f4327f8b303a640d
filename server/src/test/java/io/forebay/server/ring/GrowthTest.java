// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.ring;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.client.Forebay;
import io.forebay.client.ForebayOptions;
import io.forebay.ring.PlacementSpec;
import io.forebay.ring.RingMap;
import io.forebay.ring.SeatEntry;
import io.forebay.server.Eventually;
import io.forebay.server.Workload;
import io.forebay.testing.TestSeed;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Real processes that come, go and are started again one after the other while a client writes. */
@Timeout(300)
class GrowthTest {
  private static final int SERVERS = 3;
  private static final int SEGMENT_BYTES = 4 << 20;

  @TempDir Path directory;

  private LocalRing ring() throws Exception {
    RingShape shape =
        new RingShape(
            SERVERS,
            2,
            SEGMENT_BYTES,
            24L * SEGMENT_BYTES,
            24L * SEGMENT_BYTES,
            new PlacementSpec(PlacementSpec.Kind.KETAMA, PlacementSpec.STRIPE_BYTES_DEFAULT, 0));
    return new LocalRing(
        shape, directory.resolve("ring"), Files.createDirectory(directory.resolve("memory")));
  }

  /** What is done while a client writes and compares; none of its operations may fail. */
  private interface Changes {
    void run(LocalRing ring) throws Exception;
  }

  private void whileWriting(Changes changes) throws Exception {
    Workload work = new Workload("work", TestSeed.next("GrowthTest"));
    AtomicBoolean done = new AtomicBoolean();
    try (LocalRing ring = ring();
        ExecutorService threads = Executors.newSingleThreadExecutor()) {
      ring.start();
      ForebayOptions patient = ForebayOptions.defaults().withTimeout(Duration.ofSeconds(60));
      Future<Integer> writing =
          threads.submit(
              () -> {
                int rounds = 0;
                try (Forebay client = Forebay.connect(ring.uri(), patient)) {
                  while (!done.get()) {
                    work.write(client, 2);
                    work.check(client);
                    rounds++;
                  }
                }
                return rounds;
              });
      try {
        changes.run(ring);
      } finally {
        done.set(true);
      }
      assertThat(writing.get()).isPositive();
      try (Forebay another = Forebay.connect(ring.uri(), patient)) {
        work.check(another);
      }
    }
  }

  private static void awaitCopies(LocalRing ring) throws Exception {
    Eventually.await(() -> LocalRing.hasAllCopies(ring.map()));
    ring.awaitServing();
  }

  private static SeatEntry seatOf(RingMap map, String server) {
    return map.seats().stream()
        .filter(seat -> seat.server().equals(server))
        .findFirst()
        .orElseThrow();
  }

  private static boolean isMember(RingMap map, String server) {
    SeatEntry seat = seatOf(map, server);
    return map.groups().stream().anyMatch(group -> group.indexOf(seat.id()) >= 0);
  }

  @Test
  void aServerJoinsAndAnotherLeaves() throws Exception {
    String joining = LocalRing.name(SERVERS);
    String leaving = LocalRing.name(0);
    whileWriting(
        ring -> {
          ring.join(joining);
          Eventually.await(() -> ring.map().seats().size() > SERVERS);
          awaitCopies(ring);
          assertThat(isMember(ring.map(), joining)).isTrue();
          ring.leave(leaving);
          RingMap map = ring.map();
          assertThat(seatOf(map, leaving).stay()).isEqualTo(SeatEntry.Stay.LEFT);
          assertThat(isMember(map, leaving)).isFalse();
          assertThat(LocalRing.hasAllCopies(map)).isTrue();
          try (Stream<Path> logs = Files.list(directory.resolve("memory"))) {
            assertThat(logs).as("who has left leaves no memory").hasSize(SERVERS);
          }
        });
  }

  @Test
  void allAreStartedAgainOneAfterTheOther() throws Exception {
    whileWriting(
        ring -> {
          for (int i = 0; i < SERVERS; i++) {
            ring.kill(LocalRing.name(i));
            ring.comeBack(LocalRing.name(i));
            awaitCopies(ring);
          }
        });
  }
}
