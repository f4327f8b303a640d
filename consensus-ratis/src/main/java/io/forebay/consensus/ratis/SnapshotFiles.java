// SPDX-License-Identifier: Apache-2.0

package io.forebay.consensus.ratis;

import java.io.File;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.apache.ratis.io.MD5Hash;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.server.storage.FileInfo;
import org.apache.ratis.statemachine.SnapshotInfo;
import org.apache.ratis.statemachine.impl.SimpleStateMachineStorage;
import org.apache.ratis.statemachine.impl.SingleFileSnapshotInfo;
import org.apache.ratis.util.MD5FileUtil;

/**
 * Snapshots as files of the engine's folder, each a {@link SealedFile} with the digest beside it by
 * which the engine checks a transfer. Called by the engine's threads.
 */
final class SnapshotFiles extends SimpleStateMachineStorage {
  private static final int SNAPSHOT_KIND = 3;

  /** It is safe on return. The digest comes first: the engine takes no snapshot without one. */
  void write(TermIndex at, GroupSnapshot snapshot) throws IOException {
    SnapshotInfo latest = getLatestSnapshot();
    if (latest != null && latest.getIndex() >= at.getIndex()) return;
    File file = getSnapshotFile(at.getTerm(), at.getIndex());
    byte[] sealed = SealedFile.seal(SNAPSHOT_KIND, snapshot.encode()).array();
    MD5Hash digest = MD5Hash.newInstance(MD5FileUtil.newMD5().digest(sealed));
    MD5FileUtil.saveMD5File(file, digest);
    SealedFile.write(file.toPath(), SNAPSHOT_KIND, snapshot.encode());
    FileInfo info = new FileInfo(file.toPath(), digest);
    updateLatestSnapshot(new SingleFileSnapshotInfo(info, at.getTerm(), at.getIndex()));
  }

  GroupSnapshot read(SnapshotInfo snapshot) throws IOException {
    return GroupSnapshot.decode(
        SealedFile.read(snapshot.getFiles().getFirst().getPath(), SNAPSHOT_KIND));
  }

  /** Finds the snapshot that the engine has put into the folder, and makes it safe. */
  void reload() throws IOException {
    SnapshotInfo latest = loadLatestSnapshot();
    if (latest == null) throw new IOException("the leader's snapshot is not there");
    for (FileInfo each : latest.getFiles()) {
      Path file = each.getPath();
      try (FileChannel opened = FileChannel.open(file, StandardOpenOption.READ)) {
        opened.force(true);
      }
      SealedFile.forceDirectory(file);
      Path folder = file.toAbsolutePath().getParent();
      // The engine has renamed the folder itself.
      if (folder != null) SealedFile.forceDirectory(folder);
    }
  }
}
