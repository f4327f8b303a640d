// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.core;

import io.forebay.client.core.content.read.AheadMemory;
import io.forebay.client.core.content.read.RangeRead;
import io.forebay.client.core.content.read.ReadWindow;
import io.forebay.client.core.content.write.PieceLayout;
import io.forebay.client.core.content.write.Writer;
import io.forebay.client.core.route.ClientConfig;
import io.forebay.client.core.route.Router;
import io.forebay.client.core.route.TreeSession;
import io.forebay.ring.Instance;
import io.forebay.ring.Placement;
import io.forebay.ring.PlacementSpec;
import io.forebay.ring.Placements;
import io.forebay.ring.RingMap;
import org.jspecify.annotations.Nullable;

/** Everything that begins and ends with one session. */
final class Attachment {
  private final Router router;
  private final TreeSession session;
  private final Writer writer;
  private final RangeRead.Ground reading;
  private final PieceLayout layout;
  private final FileTable files;
  private final FileNumbers numbers;
  private final FilePuts puts;
  private final SessionLocks locks;
  private @Nullable Placement placement;
  private long placementEpoch;

  /** Read by any thread: writers must see it. */
  private volatile boolean over;

  Attachment(Router router, TreeSession session) {
    this.router = router;
    this.session = session;
    this.writer = new Writer(router, session, this::placement);
    this.layout = layout(router, session.instance());
    this.reading =
        new RangeRead.Ground(
            session,
            new ReadWindow(router),
            new AheadMemory(router.config().sizes().readAheadBytes(), layout.pieceBytesMax()),
            layout.pieceBytesMax());
    this.files = new FileTable(this, router);
    this.numbers = new FileNumbers(session, router.identity());
    this.puts = new FilePuts(router.timers(), session);
    this.locks = new SessionLocks(session);
    session.whetherOpenTold(files::told);
    Runnable listener = this::mapChanged;
    router.whenMapChanges(listener);
    session.whenOver(
        () -> {
          over = true;
          router.forget(listener);
        });
  }

  private void mapChanged() {
    writer.mapChanged();
    files.mapChanged();
  }

  private static PieceLayout layout(Router router, Instance instance) {
    PlacementSpec spec = instance.placement();
    int longest =
        Math.min(router.config().sizes().pieceBytes(), ClientConfig.Sizes.PIECE_BYTES_MAX);
    return new PieceLayout(
        router.links().payloadBytesMax(longest),
        spec.kind() == PlacementSpec.Kind.STRIPES ? spec.stripeBytes() : 0);
  }

  TreeSession session() {
    return session;
  }

  /** Whether the session has ended; any thread. */
  boolean isOver() {
    return over;
  }

  Writer writer() {
    return writer;
  }

  RangeRead.Ground reading() {
    return reading;
  }

  PieceLayout layout() {
    return layout;
  }

  FileTable files() {
    return files;
  }

  SessionLocks locks() {
    return locks;
  }

  FileNumbers numbers() {
    return numbers;
  }

  FilePuts puts() {
    return puts;
  }

  /** The placement by the map as it is now. */
  private Placement placement() {
    RingMap map = router.maps().map();
    if (placement == null || placementEpoch != map.epoch()) {
      Instance now = map.instance(session.instance().id());
      placement =
          Placements.of(now == null ? session.instance() : now, map, session.clientNumber());
      placementEpoch = map.epoch();
    }
    return placement;
  }
}
