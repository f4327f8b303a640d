// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.user;

import io.forebay.base.StageKeys;
import io.forebay.client.core.PairsCore;
import io.forebay.ring.Instance;
import io.forebay.ring.RingMap;
import io.forebay.simulation.audit.EndAudit;
import io.forebay.simulation.world.ClientNode;
import io.forebay.simulation.world.ManagerRequest;
import io.forebay.simulation.world.World;
import io.forebay.wire.message.Identity;
import io.forebay.wire.message.Maps;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * One instance after the other that ends with a stage due, as those of jobs do:
 *
 * <ol>
 *   <li>An administrator creates the instance.
 *   <li>A client marks a stage.
 *   <li>The administrator ends the instance, which must stay from then on.
 *   <li>After a while the client deletes the mark, and the instance goes.
 * </ol>
 */
public final class EndingInstances {
  /** What the current instance waits for. */
  private enum State {
    CREATING,
    MARKING,
    ENDING,
    DUE,
    GOING
  }

  private static final String ADMINISTRATOR = "ender";
  private static final String MARK = StageKeys.DUE + "out";
  private static final long STRIPE_BYTES = 64 * 1024;

  /** Far from the numbers of other clients. */
  private static final int FIRST_NUMBER = 2000;

  private static final long DUE_NANOS_MAX = 6_000_000_000L;

  /** Requests may be lost with a manager or home that dies. */
  private static final long RETRY_NANOS = 3_000_000_000L;

  private final World world;
  private final EndAudit audit;
  private final boolean forced;
  private final SplittableRandom random;
  private State state = State.CREATING;
  private int made;
  private int id;
  private long nextNanos;
  private @Nullable ClientNode node;
  private @Nullable PairsCore pairs;
  private boolean stopped;

  public EndingInstances(World world, EndAudit audit, boolean forced, SplittableRandom random) {
    this.world = world;
    this.audit = audit;
    this.forced = forced;
    this.random = random;
  }

  public void act() {
    RingMap map = world.map();
    if (stopped || map == null) return;
    Instance instance = map.instance(name());
    switch (state) {
      case CREATING -> {
        if (instance != null) mark(instance);
        else if (isDue()) ManagerRequest.send(world, ADMINISTRATOR, creation());
      }
      case MARKING -> {}
      case ENDING -> {
        if (instance != null && instance.drain().ending()) remain();
        else if (isDue()) ManagerRequest.send(world, ADMINISTRATOR, end());
      }
      case DUE -> {
        if (world.nanos() >= nextNanos) release();
      }
      case GOING -> {
        if (instance == null) next(true);
        else if (isDue()) delete();
      }
    }
  }

  /** No further requests. */
  public void stop() {
    stopped = true;
    killClient();
  }

  private String name() {
    return "ending-" + made;
  }

  /** Whether a request is to be sent, for the first time or again. */
  private boolean isDue() {
    if (world.nanos() < nextNanos) return false;
    nextNanos = world.nanos() + RETRY_NANOS;
    return true;
  }

  private Maps.CreateInstance creation() {
    return new Maps.CreateInstance(
        random.nextLong(),
        name(),
        Identity.root(),
        "persistent",
        "shared",
        0,
        world.options().copies(),
        forced,
        "continue",
        "ketama",
        STRIPE_BYTES,
        0,
        "",
        "",
        "",
        false,
        "",
        "everyone",
        "squash",
        0,
        "");
  }

  private Maps.DestroyInstance end() {
    return new Maps.DestroyInstance(random.nextLong(), name(), Identity.root());
  }

  private void mark(Instance instance) {
    state = State.MARKING;
    id = instance.id();
    ClientNode client = new ClientNode(world, FIRST_NUMBER + made, name(), random.split());
    node = client;
    world.add(client);
    client.start();
    var _ =
        client
            .core()
            .start()
            .thenCompose(started -> client.core().pairs())
            .thenCompose(
                found -> {
                  pairs = found;
                  return found.begin(Identity.root(), MARK);
                })
            .thenCompose(upload -> upload.finish())
            .whenComplete((done, failure) -> marked(client, failure == null));
  }

  /** A mark whose outcome is unknown proves nothing: another instance takes its place. */
  private void marked(ClientNode client, boolean done) {
    if (stopped || client != node) return;
    if (!done) {
      next(false);
      return;
    }
    audit.marked(id);
    state = State.ENDING;
    nextNanos = 0;
  }

  private void remain() {
    state = State.DUE;
    nextNanos = world.nanos() + random.nextLong(DUE_NANOS_MAX);
  }

  private void release() {
    audit.released(id);
    state = State.GOING;
    nextNanos = 0;
  }

  private void delete() {
    if (pairs == null) return;
    var _ = pairs.delete(Identity.root(), MARK).exceptionally(failure -> null);
  }

  private void next(boolean gone) {
    if (gone) audit.gone();
    killClient();
    made++;
    state = State.CREATING;
    nextNanos = 0;
  }

  private void killClient() {
    pairs = null;
    if (node == null || !node.isAlive()) return;
    node.kill();
    world.remove(node);
  }
}
