// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.recovery;

import io.forebay.base.MonotonicClock;
import io.forebay.base.SeatId;
import io.forebay.ring.RingMap;
import io.forebay.ring.SeatEntry;
import io.forebay.seat.consensus.BrokenLog;
import io.forebay.seat.consensus.SavedLog;
import io.forebay.seat.manager.recovery.NewestMap;
import io.forebay.seat.manager.recovery.SeatAnswer;
import io.forebay.seat.manager.recovery.SoundState;
import io.forebay.seat.manager.state.RecoveredState;
import io.forebay.server.StartFailed;
import io.forebay.server.consensus.ManagerGroup;
import io.forebay.server.consensus.OwnLog;
import io.forebay.server.machine.Randomness;
import io.forebay.store.directory.LogDirectory;
import io.forebay.store.directory.LogReplacement;
import io.forebay.store.directory.LogUnavailable;
import io.forebay.wire.Address;
import io.forebay.wire.tls.BadTlsFile;
import io.forebay.wire.tls.TlsFiles;
import io.forebay.wire.tls.TlsSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Brings back a manager whose log was damaged or lost (P36):
 *
 * <ol>
 *   <li>It reads the manager's log as far as that is sound. No manager may have it open.
 *   <li>It reads the maps of stopped servers from their directories, asks the running servers that
 *       are named, and then those that the newest of these maps names.
 *   <li>It decides whether the manager may go on from the newest map.
 *   <li>If the operator wants it, it asks the running servers again, since a map of the former
 *       manager may have been on its way, and begins a new log in the place of the former one. The
 *       former log is kept beside it.
 * </ol>
 */
public final class ManagerRecovery implements AutoCloseable {
  /** A new map that is found again and again says that a manager still runs. */
  private static final int ROUNDS_MAX = 3;

  private static final String FRESH = "log-being-made";
  private static final String KEPT = "log-before-";

  /**
   * What to recover from.
   *
   * @param directory the manager's
   * @param servers addresses of running servers; further ones are found by their maps
   * @param serverDirectories directories of stopped servers
   * @param without names of servers without which the operator goes on
   * @param tls the operator's certificate; null for none
   * @param insecure whether servers on other machines are believed without certificates
   */
  public record Request(
      Path directory,
      List<Address> servers,
      List<Path> serverDirectories,
      Set<String> without,
      @Nullable TlsSettings tls,
      boolean insecure) {
    public Request {
      directory = directory.toAbsolutePath();
      servers = List.copyOf(servers);
      serverDirectories = List.copyOf(serverDirectories);
      without = Set.copyOf(without);
    }
  }

  /**
   * What was found.
   *
   * @param answers of seats
   * @param problems why others gave none, by their addresses or directories
   */
  public record Report(
      SoundState log,
      List<SeatAnswer> answers,
      Map<String, String> problems,
      NewestMap.Found found) {
    /** The same for an operator. */
    public RecoveryView view() {
      return new RecoveryView(this);
    }
  }

  /** What was written, and where the former log is; null if there was none. */
  public record Written(RecoveredState state, @Nullable Path former) {
    /** The ring epoch from which the manager goes on. */
    public long epoch() {
      return state.epoch();
    }

    /** What an operator should know of what is lost, as sentences. */
    public List<String> lost() {
      return state.lost();
    }
  }

  private final Request request;
  private final SeatQuestions questions;
  private final SoundState log;
  private final Map<Path, SeatQuestions.Said> stopped;

  private ManagerRecovery(
      Request request,
      SeatQuestions questions,
      SoundState log,
      Map<Path, SeatQuestions.Said> stopped) {
    this.request = request;
    this.questions = questions;
    this.log = log;
    this.stopped = stopped;
  }

  /** Reads what is on this machine. */
  public static ManagerRecovery open(Request request) throws StartFailed, IOException {
    if (ManagerGroup.exists(request.directory())) {
      throw new StartFailed(
          "'%s' belongs to one of several managers, of which the others have the log; if most of them are lost for good, recover into a directory without a folder 'group'"
              .formatted(request.directory()));
    }
    TlsFiles tls;
    try {
      tls = request.tls == null ? null : TlsFiles.open(request.tls, MonotonicClock.system());
      LogReplacement.requireUnused(request.directory);
    } catch (BadTlsFile e) {
      throw new StartFailed(String.valueOf(e.getMessage()), e);
    } catch (LogUnavailable e) {
      throw new StartFailed(e.sentence() + "; end the manager first", e);
    }
    SoundState log = readLog(request.directory);
    Map<Path, SeatQuestions.Said> stopped = SeatLogs.read(request.serverDirectories);
    return new ManagerRecovery(request, new SeatQuestions(tls, request.insecure), log, stopped);
  }

  /** The log, or the one that a recovery which was interrupted has moved away. */
  private static SoundState readLog(Path directory) throws IOException {
    Path place = directory;
    if (!LogReplacement.hasLog(place)) {
      Path former = newestFormer(directory);
      if (former == null) return SoundState.none("there is none");
      place = former;
      LogReplacement.finishKeeping(directory, former);
    }
    try (LogDirectory opened = OwnLog.openFiles(place, Randomness.fresh(), () -> {})) {
      return SoundState.of(SavedLog.read(opened.store()));
    } catch (LogUnavailable e) {
      return SoundState.none(e.sentence());
    } catch (BrokenLog e) {
      return SoundState.none(String.valueOf(e.getMessage()));
    }
  }

  private static @Nullable Path newestFormer(Path directory) {
    Path newest = null;
    for (int i = 1; Files.exists(directory.resolve(KEPT + i)); i++) {
      Path each = directory.resolve(KEPT + i);
      if (LogReplacement.hasLog(each)) newest = each;
    }
    return newest;
  }

  private static Path nextFormer(Path directory) {
    int number = 1;
    while (Files.exists(directory.resolve(KEPT + number))) number++;
    return directory.resolve(KEPT + number);
  }

  /** Asks all servers, and decides. Changes nothing. */
  public Report look() {
    List<SeatAnswer> answers = new ArrayList<>();
    Map<String, String> problems = new LinkedHashMap<>();
    stopped.forEach((place, said) -> take(place.toString(), said, answers, problems));
    Set<Address> asked = new HashSet<>();
    Collection<Address> next = request.servers;
    while (!next.isEmpty()) {
      asked.addAll(next);
      questions
          .ask(next)
          .forEach((address, said) -> take(address.toString(), said, answers, problems));
      next = addressesOf(answers, asked);
    }
    return new Report(
        log, answers, problems, NewestMap.among(answers, mapOfLog(), request.without));
  }

  private static void take(
      String source,
      SeatQuestions.Said said,
      List<SeatAnswer> answers,
      Map<String, String> problems) {
    if (said.answer() == null) problems.put(source, said.problem());
    else answers.add(said.answer());
  }

  private @Nullable RingMap mapOfLog() {
    return log.state().formed() ? log.state().map() : null;
  }

  /** Where the seats are that have not answered yet, by the newest map. */
  private Set<Address> addressesOf(List<SeatAnswer> answers, Set<Address> asked) {
    RingMap newest = mapOfLog();
    Set<SeatId> heard = new HashSet<>();
    for (SeatAnswer answer : answers) {
      heard.add(answer.seat());
      if (newest == null || answer.map().epoch() > newest.epoch()) newest = answer.map();
    }
    Set<Address> addresses = new LinkedHashSet<>();
    if (newest == null) return addresses;
    for (SeatEntry seat : newest.seats()) {
      if (heard.contains(seat.id()) || seat.stay() == SeatEntry.Stay.LEFT) continue;
      for (String text : seat.addresses()) {
        Address address = inet(text);
        if (address != null && !asked.contains(address)) addresses.add(address);
      }
    }
    return addresses;
  }

  private static @Nullable Address inet(String text) {
    try {
      return Address.parse(text) instanceof Address.Inet inet ? inet : null;
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  /** Begins a new log; the servers are asked again before. */
  public Written write() throws StartFailed, IOException {
    NewestMap.Found.Newest newest = settled();
    long second = secondOfItsOwn();
    RecoveredState state = RecoveredState.of(newest.map(), log.state(), second);
    Path fresh = request.directory.resolve(FRESH);
    boolean had = LogReplacement.hasLog(request.directory);
    Path former = nextFormer(request.directory);
    try {
      // A recovery that was interrupted has left it.
      if (LogReplacement.hasLog(fresh)) LogDirectory.destroy(fresh);
      try (LogDirectory made = OwnLog.openFiles(fresh, Randomness.fresh(), () -> {})) {
        SavedLog.begin(made.store(), state.snapshot());
      }
      LogReplacement.replace(request.directory, fresh, former);
    } catch (LogUnavailable e) {
      throw new StartFailed(e.sentence(), e);
    } catch (BrokenLog e) {
      throw new StartFailed(String.valueOf(e.getMessage()), e);
    }
    return new Written(state, had ? former : null);
  }

  /** The present second, which is over when this returns: no later recovery has the same term. */
  private static long secondOfItsOwn() {
    long second = Instant.now().getEpochSecond();
    Instant over = Instant.ofEpochSecond(second + 1);
    for (Instant now = Instant.now(); now.isBefore(over); now = Instant.now()) {
      if (now.getEpochSecond() < second) break; // The clock was set back.
      LockSupport.parkNanos(Duration.between(now, over).toNanos());
    }
    return second;
  }

  /** The newest map, which two looks in a row have found. */
  private NewestMap.Found.Newest settled() throws StartFailed {
    long before = -1;
    for (int round = 0; round <= ROUNDS_MAX; round++) {
      switch (look().found()) {
        case NewestMap.Found.Nothing nothing -> throw new StartFailed(nothing.sentence());
        case NewestMap.Found.Newest newest -> {
          if (!newest.mayGoOn()) {
            throw new StartFailed(
                "servers are missing: " + String.join(", ", newest.missingServers()));
          }
          if (newest.map().epoch() == before) return newest;
          before = newest.map().epoch();
        }
      }
    }
    throw new StartFailed("the servers get newer maps again and again: end their manager first");
  }

  @Override
  public void close() {
    questions.close();
  }
}
