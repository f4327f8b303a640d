// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.nio;

import io.forebay.client.Forebay;
import io.forebay.client.file.AttributeChange;
import java.io.IOException;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.GroupPrincipal;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.UserPrincipal;
import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The attributes of one path, to read and to change; those of a link itself if links are not
 * followed.
 */
final class PosixView implements PosixFileAttributeView {
  private static final int UNCHANGED = -1;

  private final Forebay client;
  private final String path;
  private final boolean follow;
  private final String name;

  PosixView(Forebay client, String path, boolean follow, String name) {
    this.client = client;
    this.path = path;
    this.follow = follow;
    this.name = name;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public StatAttributes readAttributes() throws IOException {
    return new StatAttributes(client.stat(path, follow));
  }

  /** The time of creation is not kept. */
  @Override
  public void setTimes(
      @Nullable FileTime modified, @Nullable FileTime accessed, @Nullable FileTime created)
      throws IOException {
    if (modified == null && accessed == null) return;
    set(new AttributeChange().times(instant(accessed), instant(modified)));
  }

  private static @Nullable Instant instant(@Nullable FileTime time) {
    return time == null ? null : time.toInstant();
  }

  @Override
  public void setPermissions(Set<PosixFilePermission> permissions) throws IOException {
    setMode(StatAttributes.modeOf(permissions));
  }

  void setMode(int mode) throws IOException {
    set(new AttributeChange().mode(mode));
  }

  @Override
  public UserPrincipal getOwner() throws IOException {
    return readAttributes().owner();
  }

  @Override
  public void setOwner(UserPrincipal owner) throws IOException {
    setOwner(NumberPrincipal.number(owner), UNCHANGED);
  }

  @Override
  public void setGroup(GroupPrincipal group) throws IOException {
    setOwner(UNCHANGED, NumberPrincipal.number(group));
  }

  void setOwner(int user, int group) throws IOException {
    set(new AttributeChange().owner(user, group));
  }

  private void set(AttributeChange change) throws IOException {
    client.set(path, follow ? change : change.noFollow());
  }
}
