// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.netcdf;

import io.forebay.base.ByteSize;
import io.forebay.base.Json;
import io.forebay.cli.terminal.Brief;
import io.forebay.cli.terminal.CommandFailed;
import io.forebay.netcdf.validate.Finding;
import io.forebay.netcdf.validate.Validation;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Checks files against the format. */
@Command(
    name = "validate",
    description = "Check netCDF files against the format, and list the defects.",
    footer = {
      "",
      "Headers and lengths are checked, data is not.",
      "Exit codes: 0 all are valid, 1 not all, 2 wrong arguments.",
    })
final class ValidateCommand implements Callable<Integer> {
  private static final int SHOWN_MAX = 40;

  @Spec private @Nullable CommandSpec spec;

  @Parameters(paramLabel = "FILE", arity = "1..*", description = "Which files.")
  private List<String> names = List.of();

  @Option(names = "--json", description = "Print the result as JSON.")
  private boolean json;

  @Override
  public Integer call() throws IOException {
    if (spec == null) throw new IllegalStateException("run outside of a command line");
    PrintWriter out = spec.commandLine().getOut();
    boolean allValid = true;
    List<Object> results = new ArrayList<>();
    for (String name : names) {
      Map<String, Object> result = new LinkedHashMap<>();
      result.put("file", name);
      try (NetcdfSource source = NetcdfSource.open(name)) {
        Validation validation = Validation.of(source.file().asSource());
        allValid &= validation.isValid();
        describe(validation, result);
        if (!json) print(name, validation, out);
      } catch (CommandFailed unusable) {
        // The others are checked nevertheless.
        allValid = false;
        result.put("valid", false);
        result.put("problem", unusable.getMessage());
        if (!json) out.println(unusable.getMessage());
      }
      results.add(result);
    }
    if (json) out.println(Json.write(results));
    out.flush();
    return allValid ? ExitCode.OK : ExitCode.SOFTWARE;
  }

  private static void print(String name, Validation validation, PrintWriter out) {
    if (validation.isValid() && validation.format() != null) {
      out.println(
          "'%s' is valid: CDF-%d, a header of %s, %s in all"
              .formatted(
                  name,
                  validation.format().version(),
                  ByteSize.format(validation.headerBytes()),
                  ByteSize.format(validation.fileBytes())));
    } else {
      out.println("'" + name + "' is not valid");
    }
    int shown = 0;
    for (Finding finding : validation.findings()) {
      if (shown++ == SHOWN_MAX) break;
      out.println(
          "  %s at byte %d: %s".formatted(severity(finding), finding.offset(), finding.sentence()));
    }
    int more = validation.findings().size() - SHOWN_MAX;
    if (more > 0) out.println("  … and " + Brief.counted(more, "finding") + " more (use --json)");
  }

  private static String severity(Finding finding) {
    return finding.severity().name().toLowerCase(Locale.ROOT);
  }

  private static void describe(Validation validation, Map<String, Object> result) {
    result.put("valid", validation.isValid());
    if (validation.format() != null) {
      result.put("format", "CDF-" + validation.format().version());
    }
    result.put("headerBytes", validation.headerBytes());
    result.put("fileBytes", validation.fileBytes());
    result.put("expectedBytes", validation.expectedBytes());
    List<Object> findings = new ArrayList<>();
    for (Finding finding : validation.findings()) {
      Map<String, Object> one = new LinkedHashMap<>();
      one.put("severity", severity(finding));
      one.put("offset", finding.offset());
      one.put("sentence", finding.sentence());
      findings.add(one);
    }
    result.put("findings", findings);
  }
}
