// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.stage;

import io.forebay.backing.held.Actor;
import io.forebay.client.Forebay;
import io.forebay.client.stage.StageNote;
import io.forebay.client.stage.StageRequest;
import io.forebay.server.stage.side.BufferSide;
import io.forebay.server.stage.side.Side;
import io.forebay.server.stage.side.StageRoots;
import io.forebay.wire.message.Identity;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Both sides of a stage as a server sees them, with the rights of the instance's owner. */
final class Sides implements AutoCloseable {
  private final StageWork.Route route;
  private final Reasons reasons;

  /** To the private tree that is staged; null for the tree of all clients. */
  private final @Nullable Forebay ofNode;

  private Sides(StageWork.Route route, Reasons reasons, @Nullable Forebay ofNode) {
    this.route = route;
    this.reasons = reasons;
    this.ofNode = ofNode;
  }

  static Sides open(StageGround ground, StageNote.Job job) throws IOException {
    StagerConfig config = ground.config();
    boolean own = !job.node().isEmpty();
    Forebay ofNode =
        own
            ? Forebay.connect(
                ground.connection().uri().toString(),
                config.options().withTreeOf(job.node()).withPrivateTree(true))
            : null;
    Identity owner = ground.owner(job.groups());
    Actor actor = new Actor(owner.user(), owner.groups(), config.options().identity().user());
    Forebay client = ofNode == null ? ground.connection() : ofNode;
    Side buffer = new BufferSide(client.as(owner));
    Side files = new StageRoots(config.roots(), config.server(), actor, config.pace());
    boolean in = job.request().direction() == StageRequest.Direction.IN;
    StageWork.Route route =
        in ? new StageWork.Route(files, buffer) : new StageWork.Route(buffer, files);
    return new Sides(route, new Reasons(actor), ofNode);
  }

  StageWork.Route route() {
    return route;
  }

  Reasons reasons() {
    return reasons;
  }

  @Override
  public void close() throws IOException {
    if (ofNode != null) ofNode.close();
  }
}
