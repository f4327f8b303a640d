// SPDX-License-Identifier: Apache-2.0

package io.forebay.backing.hdfs;

import io.forebay.backing.location.BackingLocation;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The settings in the address of a directory in HDFS.
 *
 * @param nameNode such as {@code hdfs://host:8020}, or a name service of Hadoop's configuration
 * @param root the directory, from the root of HDFS on
 * @param config the folder with Hadoop's {@code core-site.xml} and {@code hdfs-site.xml}, or null
 *     for {@code HADOOP_CONF_DIR}
 * @param user the user name where HDFS trusts the client's claim, or null for this process's user
 * @param replication how many copies HDFS keeps, or 0 for its configured number
 */
record HdfsSettings(
    URI nameNode, String root, @Nullable Path config, @Nullable String user, short replication) {
  private static final String CONFIG = "config";
  private static final String USER = "user";
  private static final String REPLICATION = "replication";
  private static final int REPLICATION_MAX = 512;

  /** Reads them from {@code hdfs://host:port/dir?key=value}. */
  static HdfsSettings of(BackingLocation location) {
    location.requireKnown();
    String config = location.setting(CONFIG);
    URI address = address(location.rest());
    String path = address.getPath();
    while (path.endsWith("/")) path = path.substring(0, path.length() - 1);
    return new HdfsSettings(
        URI.create("hdfs://" + address.getAuthority()),
        path,
        config == null ? null : Path.of(config),
        location.setting(USER),
        replication(location.setting(REPLICATION)));
  }

  String description() {
    return "HDFS directory %s%s".formatted(nameNode, root.isEmpty() ? "/" : root);
  }

  private static URI address(String rest) {
    try {
      URI address = new URI("hdfs:" + rest);
      if (address.getAuthority() != null && address.getUserInfo() == null) return address;
    } catch (URISyntaxException malformed) {
      throw new IllegalArgumentException(
          "'hdfs:%s' is not an address: %s".formatted(rest, malformed.getReason()), malformed);
    }
    throw new IllegalArgumentException(
        "'hdfs:%s' names no name node: write such as hdfs://host:8020/directory".formatted(rest));
  }

  private static short replication(@Nullable String text) {
    if (text == null) return 0;
    if (text.matches("[1-9][0-9]{0,2}") && Integer.parseInt(text) <= REPLICATION_MAX) {
      return Short.parseShort(text);
    }
    throw new IllegalArgumentException(
        "replication: '%s' is not a number from 1 to %d".formatted(text, REPLICATION_MAX));
  }
}
