// SPDX-License-Identifier: Apache-2.0

package io.forebay.metrics.process;

import io.forebay.metrics.Exposition;
import io.forebay.metrics.Registry;
import io.forebay.metrics.http.Page;
import java.nio.charset.StandardCharsets;

/** The values of a registry, in the format that the caller accepts. */
public final class MetricsPage implements Page {
  public static final String PATH = "/metrics";

  private final Registry registry;

  public MetricsPage(Registry registry) {
    this.registry = registry;
  }

  @Override
  public Answer get(Request request) {
    Exposition.Text text = Exposition.write(registry.scrape(), request.header("Accept"));
    return new Answer(text.contentType(), text.text().getBytes(StandardCharsets.UTF_8));
  }
}
