// SPDX-License-Identifier: Apache-2.0

package io.forebay.server;

import io.forebay.backing.location.BackingRoots;
import io.forebay.client.host.HostName;
import io.forebay.server.audit.AuditFiles;
import io.forebay.server.settings.BadSetting;
import io.forebay.server.settings.Keys;
import io.forebay.server.settings.Settings;
import io.forebay.server.stage.side.StageAccess;
import io.forebay.wire.Address;
import io.forebay.wire.UserBounds;
import java.nio.file.Path;
import java.util.List;

/**
 * The configuration of a server.
 *
 * @param name copies go to servers of different names
 * @param managers the addresses of managers
 * @param listen the first seat's address; the others take the next ports, or any if it is 0
 * @param unixSockets whether it listens on Unix sockets in its directory too
 * @param access how peers reach it
 * @param redirects whether seats that are short of room redirect clients to others
 * @param shuffleBytes memory of each seat for drained bytes from other seats
 * @param joins whether its seats join a running ring
 * @param after the seat behind which the first of them joins; 0 for any
 * @param staging what of the file system may be staged
 * @param backingRoots the roots below which instances may have their backing stores
 * @param pool the pool that its seats belong to
 * @param audit where its audit log is
 * @param users how much of an instance one user may have
 */
public record ServerConfig(
    String name,
    List<Address> managers,
    Address.Inet listen,
    boolean unixSockets,
    Access access,
    int seats,
    Storage storage,
    int weight,
    long creditBytes,
    boolean redirects,
    long scrubBytesPerSecond,
    long shuffleBytes,
    boolean joins,
    int after,
    StageAccess staging,
    BackingRoots backingRoots,
    String pool,
    AuditFiles audit,
    UserBounds users) {
  public ServerConfig {
    managers = List.copyOf(managers);
  }

  public static ServerConfig from(Settings settings) throws BadSetting {
    Path directory = settings.get(Keys.DIR);
    String name = settings.find(Keys.SERVER_NAME);
    Storage storage =
        new Storage(
            directory,
            settings.find(Keys.MEMORY_ROOT),
            settings.get(Keys.MEMORY),
            settings.get(Keys.SSD),
            Math.toIntExact(settings.get(Keys.SEGMENT)),
            settings.get(Keys.ANONYMOUS_MEMORY));
    return new ServerConfig(
        name != null ? name : HostName.local() + "/" + directory.getFileName(),
        settings.get(Keys.MANAGERS),
        settings.get(Keys.SERVER_LISTEN),
        settings.get(Keys.UNIX_SOCKETS),
        Access.ofServer(settings),
        settings.get(Keys.SEATS),
        storage,
        settings.get(Keys.WEIGHT),
        settings.get(Keys.CREDIT),
        settings.get(Keys.REDIRECT),
        settings.get(Keys.SCRUB),
        settings.get(Keys.SHUFFLE),
        settings.get(Keys.JOIN),
        settings.get(Keys.AFTER),
        staging(settings),
        backingRoots(settings),
        settings.get(Keys.POOL),
        AuditFiles.from(settings),
        new UserBounds(
            settings.get(Keys.SESSIONS_PER_USER),
            settings.get(Keys.TREES_PER_USER),
            settings.get(Keys.OPEN_FILES)));
  }

  /** The same with another access. */
  ServerConfig withAccess(Access other) {
    return new ServerConfig(
        name,
        managers,
        listen,
        unixSockets,
        other,
        seats,
        storage,
        weight,
        creditBytes,
        redirects,
        scrubBytesPerSecond,
        shuffleBytes,
        joins,
        after,
        staging,
        backingRoots,
        pool,
        audit,
        users);
  }

  private static BackingRoots backingRoots(Settings settings) throws BadSetting {
    BackingRoots given = settings.find(Keys.BACKING_ROOT);
    return given == null ? BackingRoots.NONE : given;
  }

  /** Without roots from the operator nothing may be staged. */
  public static StageAccess staging(Settings settings) throws BadSetting {
    List<Path> given = settings.find(Keys.STAGE_ROOT);
    return new StageAccess(given == null ? List.of() : given, settings.get(Keys.STAGE_RATE));
  }
}
