// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.audit;

import io.forebay.base.BlockChecksums;
import io.forebay.base.Checksums;
import io.forebay.base.FileId;
import io.forebay.base.GroupId;
import io.forebay.base.RecordId;
import io.forebay.base.fields.MalformedFields;
import io.forebay.ring.Group;
import io.forebay.ring.RingMap;
import io.forebay.ring.RingMapCodec;
import io.forebay.ring.SeatEntry;
import io.forebay.simulation.world.SeatNode;
import io.forebay.simulation.world.World;
import io.forebay.store.RecordWalk;
import io.forebay.store.record.ReadResult;
import io.forebay.store.record.Slice;
import io.forebay.wire.message.Data;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Maps;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Replies;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Checks the stores of all seats, one segment per step: a record is the same wherever it is (its
 * length, file and checksums), its bytes equal what its writer sent (P19), and it is only on seats
 * that are members of its group.
 */
public final class RecordAudit extends Audit {
  private record Verified(String host, RecordId record) {}

  private record Known(FileId file, int group, int payloadBytes, Checksums checksums) {}

  private static final int KNOWN_MAX = 200_000;

  private final Map<RecordId, Known> known = new TreeMap<>();
  private final Set<Verified> verified = new HashSet<>();
  private final Map<GroupId, Set<String>> members = new TreeMap<>();
  private long epoch;
  private int seat;
  private @Nullable RecordWalk walk;

  public RecordAudit(World world) {
    super(world);
  }

  /** It only looks at a part each time. */
  @Override
  public int everySteps() {
    return 4;
  }

  @Override
  public void look() {
    rememberMembers();
    SeatNode node = world().seats().get(seat);
    if (walk == null && node.isAlive()) walk = node.store().walk();
    boolean more =
        walk != null
            && node.isAlive()
            && walk.next((id, file, group, bytes) -> look(node, id, file, group, bytes));
    if (!more) {
      walk = null;
      seat = (seat + 1) % world().seats().size();
      if (known.size() > KNOWN_MAX) known.clear();
    }
  }

  private void look(SeatNode node, RecordId id, FileId file, int group, int payloadBytes) {
    // The record is damaged until the seat detects it, and its checksums may be damaged too.
    if (node.flipped().contains(id)) return;
    int blocks = BlockChecksums.count(payloadBytes);
    int[] checksums = node.store().checksums(id, 0, blocks);
    if (checksums == null) return;
    Known here = new Known(file, group, payloadBytes, Checksums.of(checksums));
    Known before = known.putIfAbsent(id, here);
    if (before != null && !before.equals(here)) {
      broken("I2", "record " + id + " on " + node.host() + " differs from its copies");
    }
    if (verified.add(new Verified(node.host(), id))) verify(node, id, payloadBytes, here.checksums);
    GroupId of = new GroupId(group);
    if (!members.getOrDefault(of, Set.of()).contains(node.host())) {
      broken("P1", "record " + id + " of " + of + " stands on " + node.host());
    }
  }

  private void rememberMembers() {
    RingMap map = world().map();
    if (map != null && map.epoch() != epoch) rememberMembers(map);
  }

  /** A map that was sent counts, even if the manager died before the next check. */
  private void told(Maps.MapIs told) {
    if (told.ringEpoch() <= epoch || told.map().length() == 0) return;
    try {
      rememberMembers(RingMapCodec.read(told.map()));
    } catch (MalformedFields e) {
      throw new IllegalStateException(e);
    }
  }

  private void rememberMembers(RingMap map) {
    epoch = map.epoch();
    for (Group group : map.groups()) {
      Set<String> servers = members.computeIfAbsent(group.id(), each -> new TreeSet<>());
      for (Group.Member member : group.members()) {
        SeatEntry entry = map.seat(member.seat());
        if (entry != null) servers.add(entry.server());
      }
    }
  }

  /** Compares the bytes of a record that is in memory. */
  private void verify(SeatNode node, RecordId id, int payloadBytes, Checksums checksums) {
    node.store()
        .read(
            id,
            0,
            payloadBytes,
            result -> {
              if (!(result instanceof ReadResult.Bytes bytes)) return;
              try (Slice slice = bytes.slice()) {
                if (BlockChecksums.firstMismatch(slice.bytes(), checksums.toArray()) < 0) return;
                broken("P19", "record " + id + " on " + node.host() + " has other bytes");
              }
            });
  }

  /**
   * Without damage in transit or at rest, no damaged payload may arrive: otherwise the sender
   * released its buffer too early.
   */
  @Override
  public void sent(String from, String to, long request, Message message) {
    if (message instanceof Maps.MapIs map && world().isManager(from)) told(map);
    boolean corrupt =
        (message instanceof Data.Confirm confirm && confirm.code() == ErrorCode.CORRUPT)
            || (message instanceof Replies.Failed failed && failed.code() == ErrorCode.CORRUPT);
    boolean explained =
        world().options().network().damage() > 0
            || world().seats().stream().anyMatch(node -> !node.flipped().isEmpty());
    if (corrupt && !explained) {
      broken("P19", from + " was sent bytes that changed on their way: " + message);
    }
  }

  @Override
  public void killed(String host) {
    verified.removeIf(each -> each.host.equals(host));
  }
}
