// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.certificate;

import io.forebay.cli.terminal.CommandFailed;
import io.forebay.client.ForebayOptions;
import io.forebay.client.ForebayUri;
import io.forebay.client.enrol.CertificateAdmin;
import io.forebay.server.authority.ManagerAuthority;
import io.forebay.wire.Address;
import io.forebay.wire.tls.TlsSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** How an administrator reaches the manager. */
final class AdminOptions {
  private static final String VARIABLE = "FOREBAY_URI";

  @Spec(Spec.Target.MIXEE)
  private @Nullable CommandSpec spec;

  @Option(
      names = {"-u", "--uri"},
      paramLabel = "URI",
      description = {
        "The cluster, forebay://HOST:PORT (default: the manager of --dir, or else the variable",
        VARIABLE + ")."
      })
  private @Nullable String uri;

  @Option(
      names = "--dir",
      paramLabel = "DIR",
      description = {
        "The manager's directory, on its machine: the administrator's certificate in it is used",
        "(default: the certificate that FOREBAY_TLS_CERTIFICATE names)."
      })
  private @Nullable Path directory;

  CertificateAdmin connect() throws IOException {
    TlsSettings inDirectory = directory == null ? null : inDirectory(directory);
    List<Address> managers = managers();
    return CertificateAdmin.of(
        managers, inDirectory == null ? ofEnvironment(managers) : inDirectory);
  }

  private static TlsSettings inDirectory(Path manager) {
    TlsSettings found = ManagerAuthority.administrator(manager);
    if (!Files.isReadable(found.certificate())) {
      throw new CommandFailed(
          "'%s' has no administrator's certificate that you can read; name the directory of a manager with a CA of its own, as the user that runs it"
              .formatted(manager));
    }
    return found;
  }

  private TlsSettings ofEnvironment(List<Address> managers) throws IOException {
    TlsSettings found = ForebayOptions.defaults().tls().settings(managers);
    if (found == null) {
      throw wrong(
          "no certificate of an administrator is named; give --dir with the manager's directory, or set FOREBAY_TLS_CERTIFICATE, FOREBAY_TLS_KEY and FOREBAY_TLS_CA");
    }
    return found;
  }

  private List<Address> managers() throws IOException {
    if (uri == null && directory != null) {
      Address known = ManagerAuthority.address(directory);
      if (known != null) return List.of(known);
    }
    String text = uri != null ? uri : System.getenv(VARIABLE);
    if (text == null || text.isBlank()) {
      throw wrong("no cluster is named; give --uri forebay://HOST:PORT or set " + VARIABLE);
    }
    try {
      return ForebayUri.parse(text.strip()).managers();
    } catch (IllegalArgumentException e) {
      throw wrong(String.valueOf(e.getMessage()));
    }
  }

  ParameterException wrong(String sentence) {
    if (spec == null) throw new IllegalStateException("run outside of a command line");
    return new ParameterException(spec.commandLine(), sentence);
  }
}
