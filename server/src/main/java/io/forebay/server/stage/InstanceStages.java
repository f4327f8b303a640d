package io.forebay.server.stage;

import io.forebay.client.Forebay;
import io.forebay.client.ForebayOptions;
import io.forebay.client.ForebayUri;
import io.forebay.client.stage.StageBoard;
import io.forebay.client.stage.StageStatus;
import io.forebay.ring.Instance;
import io.forebay.wire.message.Identity;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Works at the stages of one instance for as long as this server has to. A thread of its own. */
final class InstanceStages implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(InstanceStages.class);

  /** More wait for their turn. */
  private static final int RUNS_MAX = 4;

  /** So many stages that are over are remembered. */
  private static final int KEPT_MAX = 100;

  private static final long LOOK_MILLIS = 200;
  private static final long AFTER_FAILURE_MILLIS = 1000;
  private static final long STOP_MILLIS_MAX = 2000;

  private final StagerConfig config;
  private final String name;
  private final BooleanSupplier wanted;
  private final Map<String, StageRun> runs = new LinkedHashMap<>();

  /**
   * For an instance of that name.
   *
   * @param wanted whether this server still is the one that has to
   */
  InstanceStages(StagerConfig config, String name, BooleanSupplier wanted) {
    this.config = config;
    this.name = name;
    this.wanted = wanted;
  }

  @Override
  public void run() {
    try {
      connectAndWork();
    } catch (IOException e) {
      LOG.warn("stages of instance {} wait: {}", name, e.getMessage());
      pause(AFTER_FAILURE_MILLIS);
    }
  }

  private void connectAndWork() throws IOException {
    String uri = new ForebayUri(config.managers(), name, "/").toString();
    // What is written down is the owner's; a server is trusted with all of it.
    ForebayOptions options = config.options().withIdentity(Identity.root());
    try (Forebay connection = Forebay.connect(uri, options)) {
      Instance instance = connection.instance();
      if (instance.access() != Instance.Access.PRIVATE) {
        work(instance, connection, connection);
        return;
      }
      try (Forebay ofBoard = Forebay.connect(uri, StageBoard.options(instance, options))) {
        work(instance, connection, ofBoard);
      }
    }
  }

  private void work(Instance instance, Forebay connection, Forebay ofBoard) throws IOException {
    StageBoard board = new StageBoard(ofBoard);
    StageRun.Ground ground = new StageRun.Ground(config, instance, connection, board);
    try {
      while (wanted.getAsBoolean()) {
        boolean ended = runs.values().removeIf(StageRun::isOver);
        if (ended) forgetOldest(board);
        List<String> open = board.open();
        for (String id : open) {
          if (runs.size() < RUNS_MAX && !runs.containsKey(id)) {
            runs.put(id, StageRun.start(ground, id));
          }
        }
        if (open.isEmpty() && runs.isEmpty()) return;
        if (!pause(LOOK_MILLIS)) return;
      }
    } finally {
      stopAll();
    }
  }

  private static void forgetOldest(StageBoard board) throws IOException {
    List<StageStatus> over = new ArrayList<>();
    for (String id : board.all()) {
      StageStatus status = board.status(id);
      if (status != null && status.ended() != null) over.add(status);
    }
    over.sort(Comparator.comparing(StageStatus::created));
    for (int i = 0; i < over.size() - KEPT_MAX; i++) board.remove(over.get(i).id());
  }

  private void stopAll() {
    for (StageRun run : runs.values()) run.stop();
    for (StageRun run : runs.values()) {
      try {
        run.join(STOP_MILLIS_MAX);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }

  /** False if it was interrupted. */
  private static boolean pause(long millis) {
    try {
      TimeUnit.MILLISECONDS.sleep(millis);
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
