// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.audit;

import io.forebay.base.GroupId;
import io.forebay.base.RecordId;
import io.forebay.ring.Group;
import io.forebay.ring.RingMap;
import io.forebay.simulation.world.SeatNode;
import io.forebay.simulation.world.World;
import io.forebay.wire.message.Data;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Names;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A client publishes only what was acknowledged (P4). A session that has ended publishes nothing
 * more (P5). A repeated change gets the same answer (I3).
 */
public final class SessionAudit extends Audit {
  private record Asked(String home, String client, long request) {}

  private record Op(GroupId group, int instance, int tree, long session, long op) {}

  private final AcknowledgementAudit acknowledgements;

  // Looked up only.
  private final Map<Asked, Op> asked = new HashMap<>();
  private final Map<Op, Object> answers = new HashMap<>();
  private final Set<Long> over = new HashSet<>();

  public SessionAudit(World world, AcknowledgementAudit acknowledgements) {
    super(world);
    this.acknowledgements = acknowledgements;
  }

  @Override
  public void handed(String from, String to, long request, Message message) {
    if (!(message instanceof Names.Request names)) return;
    Op op = new Op(names.group(), names.instance(), names.tree(), names.session(), names.op());
    asked.put(new Asked(to, from, request), op);
  }

  @Override
  public void sent(String from, String to, long request, Message message) {
    if (message instanceof Names.Request names) {
      publishes(names, GivenUpPieces.publishedBy(names.what()));
    } else if (message instanceof Data.SessionOver told) {
      over.add(told.session());
    } else if (message instanceof Names.Published published) {
      Op op = asked.get(new Asked(from, to, request));
      if (op != null) published(from, op, published, published.version());
    } else if (message instanceof Names.FilesPut put) {
      Op op = asked.get(new Asked(from, to, request));
      if (op != null) published(from, op, put, put.versions());
    }
  }

  private void publishes(Names.Request request, List<Names.Piece> pieces) {
    for (Names.Piece piece : pieces) {
      RecordId record = new RecordId(request.session(), piece.sequence());
      if (acknowledgements.heard(record)) continue;
      broken("P4", "record " + record + " is published, but was not acknowledged");
    }
  }

  private boolean isHome(String host, GroupId id) {
    RingMap map = world().map();
    Group group = map == null ? null : map.group(id);
    SeatNode home = map == null || group == null ? null : nodeOf(map, group.home());
    return home != null && home.host().equals(host);
  }

  /**
   * An answer to a change that publishes; what identifies the change is its version or versions.
   */
  private void published(String home, Op op, Message now, Object versions) {
    // A former home may be late to report earlier answers.
    if (over.contains(op.session) && isHome(home, op.group)) {
      broken("P5", home + " published for " + op + " after its session had ended");
    }
    Object before = answers.putIfAbsent(op, versions);
    if (before == null || before.equals(versions)) return;
    broken("I3", home + " did " + op + " twice: " + before + ", then " + now);
  }
}
