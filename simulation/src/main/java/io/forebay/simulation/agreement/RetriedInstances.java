// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.agreement;

import io.forebay.simulation.world.World;
import io.forebay.wire.Connection;
import io.forebay.wire.Handler;
import io.forebay.wire.Landing;
import io.forebay.wire.message.Handshake;
import io.forebay.wire.message.Identity;
import io.forebay.wire.message.Maps;
import io.forebay.wire.message.Message;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Creates instances while the managers change: each request is sent, with the same number, until a
 * manager says that the instance is made, and once more after that.
 */
public final class RetriedInstances {
  private static final String ADMINISTRATOR = "maker";
  private static final int REQUESTS_MAX = 10;
  private static final long PAUSE_NANOS_MAX = 6_000_000_000L;
  private static final long RETRY_NANOS = 700_000_000L;
  private static final int ANSWERS_WANTED = 2;

  private static final class Request {
    final Maps.CreateInstance create;
    int answers;
    long againNanos;

    Request(Maps.CreateInstance create) {
      this.create = create;
    }
  }

  private final World world;
  private final AgreementAudit audit;
  private final SplittableRandom random;
  private final List<Request> requests = new ArrayList<>();
  private long nextNanos;
  private boolean stopped;

  public RetriedInstances(World world, AgreementAudit audit, SplittableRandom random) {
    this.world = world;
    this.audit = audit;
    this.random = random;
    this.nextNanos = world.nanos() + random.nextLong(PAUSE_NANOS_MAX);
  }

  public void act() {
    long now = world.nanos();
    if (!stopped && requests.size() < REQUESTS_MAX && now >= nextNanos && world.map() != null) {
      nextNanos = now + random.nextLong(PAUSE_NANOS_MAX);
      requests.add(new Request(create("made-" + requests.size())));
    }
    for (Request request : requests) {
      if (request.answers >= ANSWERS_WANTED || now < request.againNanos) continue;
      request.againNanos = now + RETRY_NANOS;
      send(request);
    }
  }

  /** No further instances; those that were asked for are made. */
  public void stop() {
    stopped = true;
  }

  /** How many instances were made. */
  public long made() {
    return requests.stream().filter(request -> request.answers > 0).count();
  }

  /** Whether all requests have their answers. */
  public boolean isDone() {
    return requests.stream().allMatch(request -> request.answers >= ANSWERS_WANTED);
  }

  private void send(Request request) {
    world
        .network()
        .at(ADMINISTRATOR)
        .connect(
            world.leaderAddress(),
            Handshake.Hello.of(Handshake.Role.CLIENT, Handshake.Lane.CONTROL, 0, ADMINISTRATOR, 0),
            new Answer(request));
  }

  private final class Answer implements Handler {
    private final Request request;

    Answer(Request request) {
      this.request = request;
    }

    @Override
    public void opened(Connection connection) {
      connection.send(1, request.create);
    }

    @Override
    public void received(Connection connection, long number, Message message) {
      if (number != 1) return;
      connection.close("answered");
      if (!(message instanceof Maps.InstanceMade made)) return;
      request.answers++;
      audit.made(request.create.op(), made.instance());
    }

    @Override
    public Landing arriving(Connection connection, long number, Message message, int payloadBytes) {
      return Landing.DISCARD;
    }

    @Override
    public void closed(Connection connection, String reason) {}
  }

  private Maps.CreateInstance create(String name) {
    return new Maps.CreateInstance(
        random.nextLong(),
        name,
        Identity.root(),
        "persistent",
        "shared",
        0,
        world.options().copies(),
        false,
        "continue",
        "ketama",
        64 * 1024,
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
}
