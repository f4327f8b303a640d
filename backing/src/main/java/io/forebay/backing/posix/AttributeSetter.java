// SPDX-License-Identifier: Apache-2.0

package io.forebay.backing.posix;

import io.forebay.backing.FileAttributes;
import io.forebay.backing.held.Pinned;
import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.UserPrincipalLookupService;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Sets the attributes of a file or directory, as far as this process may. One thread. */
final class AttributeSetter {
  /** Changes one attribute. */
  private interface Change {
    void make() throws IOException;
  }

  private final PosixNode now;
  private final PosixFileAttributeView view;
  private final List<String> notKept = new ArrayList<>();

  /** For a held node: another node of its name must not be changed instead. */
  AttributeSetter(Pinned held) throws IOException {
    this.now = PosixNode.ofHeld(held.self());
    this.view = Files.getFileAttributeView(held.self(), PosixFileAttributeView.class);
  }

  /** Returns sentences about attributes that could not be set. */
  List<String> set(FileAttributes wanted) {
    FileAttributes has = now.file().attributes();
    UserPrincipalLookupService owners = FileSystems.getDefault().getUserPrincipalLookupService();
    // Owners first: giving a file away takes rights off it.
    if (isNew(wanted.group(), has.group())) {
      String id = Integer.toString(wanted.group());
      attempt("group " + id, () -> view.setGroup(owners.lookupPrincipalByGroupName(id)));
    }
    if (isNew(wanted.user(), has.user())) {
      String id = Integer.toString(wanted.user());
      attempt("user " + id, () -> view.setOwner(owners.lookupPrincipalByName(id)));
    }
    if (isNew(wanted.mode(), has.mode())) {
      int mode = wanted.mode() & FileAttributes.MODE_MASK;
      attempt(
          "mode " + Integer.toOctalString(mode),
          () -> view.setPermissions(PosixNode.permissions(mode)));
    }
    if (wanted.modifyNanos() != FileAttributes.UNKNOWN) {
      FileTime time = FileTime.from(wanted.modifyNanos(), TimeUnit.NANOSECONDS);
      attempt("time " + time, () -> view.setTimes(time, null, null));
    }
    return notKept;
  }

  private static boolean isNew(int wanted, int has) {
    return wanted != FileAttributes.UNKNOWN && wanted != has;
  }

  private void attempt(String what, Change change) {
    try {
      change.make();
    } catch (IOException refused) {
      notKept.add(what + ": " + refused.getMessage());
    }
  }
}
