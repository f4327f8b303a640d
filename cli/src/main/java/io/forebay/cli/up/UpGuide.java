// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.up;

import io.forebay.cli.terminal.Brief;
import io.forebay.client.host.TlsSource;
import io.forebay.server.EmbeddedCluster;
import io.forebay.server.authority.ManagerAuthority;
import io.forebay.wire.tls.TlsSettings;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Tells how the cluster of {@code forebay up} is used. */
final class UpGuide {
  /** How the launcher was called, so that the shown commands can be typed as they are. */
  private static final String LAUNCHED_AS = "FOREBAY_LAUNCHED_AS";

  private final EmbeddedCluster cluster;
  private final PrintWriter out;
  private final String forebay = System.getenv().getOrDefault(LAUNCHED_AS, "forebay");

  UpGuide(EmbeddedCluster cluster, PrintWriter out) {
    this.cluster = cluster;
    this.out = out;
  }

  /**
   * Prints everything.
   *
   * @param kept whether its data stays
   * @param point where it is mounted; null if it is not
   * @param memory a sentence about its memory; may be empty
   */
  void print(boolean kept, @Nullable Path point, String memory) {
    out.println(
        "Forebay is up with "
            + (cluster.managers().count() == 1 ? "" : cluster.managers().count() + " managers and ")
            + Brief.counted(cluster.servers(), "server")
            + ". In another shell:");
    out.println();
    out.println("  export FOREBAY_URI=" + cluster.uri());
    if (cluster.hasOwnCa()) printAdministrator();
    hint(forebay + " cp FILE forebay:/", "write a file, kept before it returns");
    hint(forebay + " ls -l /", "see it");
    hint("echo hello | " + forebay + " put KEY", "or keep a value under a key");
    hint(forebay + " status --watch", "watch the ring");
    out.println();
    if (cluster.hasOwnCa()) printEnrolment();
    if (!memory.isEmpty()) out.println(memory);
    if (cluster.metricsUrl() != null) out.println("Metrics are at " + cluster.metricsUrl() + ".");
    if (point != null) out.println("Its files are in " + point + " for every program.");
    out.println(
        kept
            ? "Ctrl-C ends it; everything stays in " + cluster.directory() + " for the next time."
            : "Ctrl-C ends it and removes everything; with --dir DIR it would stay.");
    out.flush();
  }

  private void printAdministrator() {
    TlsSettings files = ManagerAuthority.administrator(manager());
    export(TlsSource.CERTIFICATE, files.certificate());
    export(TlsSource.KEY, files.key());
    export(TlsSource.CA, files.ca());
  }

  /** For users and servers of other machines. */
  private void printEnrolment() {
    String create = forebay + " token create --dir " + manager() + " --role ";
    out.println("It uses TLS, and the certificate above is its administrator's. User 1000 of any");
    out.println("machine gets one by a token, which this prints here:");
    out.println();
    out.println("  " + create + "client --user 1000");
    out.println();
    out.println("and which is used there, by that user:");
    out.println();
    out.println("  export FOREBAY_TOKEN=TOKEN FOREBAY_URI=" + cluster.uri(""));
    out.println("  " + forebay + " instance create NAME");
    out.println();
    out.println("A server of another machine joins with a token of its role:");
    out.println();
    out.println("  " + create + "server");
    out.printf(
        "  %s server --join --managers %s --listen HOST:7071 --dir DIR --token TOKEN%n",
        forebay, cluster.managerAddress());
    out.println();
  }

  private Path manager() {
    return cluster.managerDirectory().toAbsolutePath();
  }

  private void export(String variable, Path file) {
    out.println("  export " + variable + "=" + file);
  }

  private void hint(String command, String what) {
    out.println(String.format(Locale.ROOT, "  %-33s # %s", command, what));
  }
}
