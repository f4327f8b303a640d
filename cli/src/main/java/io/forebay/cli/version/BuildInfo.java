// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.version;

import io.forebay.base.Json;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Properties;

/**
 * The sources and the platform of this program. The build fills in {@code build.properties}; the
 * commit is {@code unknown} where the build was not started by the launcher.
 */
public record BuildInfo(String version, String commit, String java) {
  private static final String RESOURCE = "build.properties";

  public static BuildInfo load() {
    Properties properties = new Properties();
    try (InputStream in = BuildInfo.class.getResourceAsStream(RESOURCE)) {
      if (in == null) throw new IllegalStateException(RESOURCE + " is missing from the jar");
      properties.load(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new BuildInfo(
        properties.getProperty("version", "unknown"),
        properties.getProperty("commit", "unknown"),
        System.getProperty("java.runtime.version", "unknown"));
  }

  public String toText() {
    return String.join("", "forebay ", version, " (commit ", commit, ", Java ", java, ")");
  }

  public String toJson() {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("version", version);
    fields.put("commit", commit);
    fields.put("java", java);
    return Json.write(fields);
  }
}
