// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.stage;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.backing.held.Actor;
import io.forebay.client.ForebayOptions;
import io.forebay.client.stage.StageNote;
import io.forebay.server.stage.side.FilePace;
import io.forebay.server.stage.side.Item;
import io.forebay.server.stage.side.StageDirectory;
import io.forebay.server.stage.side.StageRoots;
import io.forebay.wire.message.Identity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LargeFileTest {
  private static final int RANGE_BYTES = 1000;

  @TempDir private Path base;

  /** Collects the work that follows from other work. */
  private static final class Collected implements LargeFile.Ground {
    final List<Work> added = new ArrayList<>();

    @Override
    public String draftName() {
      return "draft";
    }

    @Override
    public StageNote.Task task(StageNote.Part part, String draft, long offset, long length) {
      return new StageNote.Task(StageNote.VERSION, "", List.of(part), draft, offset, length);
    }

    @Override
    public void add(Work work) {
      added.add(work);
    }

    @Override
    public void copyRange(StageNote.Task task) throws IOException {
      throw new IOException("not copied here");
    }

    @Override
    public void copied(StageNote.Result result) {}

    @Override
    public void done(LargeFile file, long sizeBytes, boolean present) {}

    @Override
    public void failed(LargeFile file, String path, IOException reason) {
      throw new AssertionError(path, reason);
    }
  }

  @Test
  void itsRangesAreLongEnoughToCallOtherServersAtOnce() throws IOException {
    Identity self = ForebayOptions.defaults().identity();
    Actor actor = new Actor(self.user(), self.groups(), self.user());
    Path root = base.toRealPath();
    Files.write(root.resolve("large"), new byte[3 * RANGE_BYTES + 1]);
    StageRoots side = new StageRoots(List.of(root), "s1", actor, new FilePace(0));
    Collected ground = new Collected();
    FileCopy rules = new FileCopy(false, new StageTally(), ground::draftName);
    try (StageDirectory directory = side.directory(root.toString(), 0755)) {
      Item item = directory.look("large");
      LargeFile file =
          new LargeFile(
              ground,
              rules,
              new StageWork.Place(directory.hold(), item),
              new StageWork.Place(directory.hold(), item.withName("copy")),
              RANGE_BYTES);
      Work start = file.start();
      assertThat(start.isLong()).as("the file may be there already").isFalse();
      start.run();
      file.release();
    }
    assertThat(ground.added).hasSize(4).allMatch(Work::isLong);
  }
}
