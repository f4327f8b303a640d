// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.netcdf;

import io.forebay.base.Json;
import io.forebay.cli.terminal.Brief;
import io.forebay.cli.terminal.CommandFailed;
import io.forebay.cli.terminal.Progress;
import io.forebay.netcdf.content.Comparison;
import io.forebay.netcdf.content.Difference;
import io.forebay.netcdf.content.Tolerance;
import io.forebay.netcdf.format.Header;
import io.forebay.netcdf.format.NetcdfException;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Compares the contents of two files. */
@Command(
    name = "diff",
    description = "Compare two netCDF files: dimensions, attributes, variables, data.",
    exitCodeOnExecutionException = DiffCommand.FAILED,
    footer = {
      "",
      "Exit codes: 0 the same, 1 different, 2 failed or wrong arguments.",
    })
final class DiffCommand implements Callable<Integer> {
  private static final int SAME = 0;
  private static final int DIFFERENT = 1;
  static final int FAILED = 2;

  @Spec private @Nullable CommandSpec spec;

  @Parameters(index = "0", paramLabel = "A", description = "A file.")
  private @Nullable String nameA;

  @Parameters(index = "1", paramLabel = "B", description = "Another.")
  private @Nullable String nameB;

  @Option(names = "--header", description = "Compare headers only, no data.")
  private boolean header;

  @Option(
      names = {"-v", "--variables"},
      paramLabel = "NAME",
      split = ",",
      description = "Compare these variables only.")
  private List<String> variables = List.of();

  @Option(
      names = {"-t", "--tolerance"},
      paramLabel = "ABS[,REL]",
      description =
          "Numbers no further apart than ABS, or than REL times the larger, are the same.")
  private @Nullable String tolerance;

  @Option(names = "--format", description = "Require the same version of the format.")
  private boolean format;

  @Option(names = "--json", description = "Print the differences as JSON.")
  private boolean json;

  @Override
  public Integer call() throws IOException {
    if (spec == null || nameA == null || nameB == null) {
      throw new IllegalStateException("run outside of a command line");
    }
    Set<String> wanted = new LinkedHashSet<>(variables);
    Comparison.Options options = new Comparison.Options(format, !header, wanted, tolerance(spec));
    List<Difference> differences;
    try (NetcdfSource a = NetcdfSource.open(nameA);
        NetcdfSource b = NetcdfSource.open(nameB);
        Progress progress = Progress.of("comparing", spec.commandLine().getErr())) {
      Header headerA = a.header();
      Header headerB = b.header();
      for (String name : wanted) {
        // A variable that one of the two files lacks is a difference; one that both lack is a wrong
        // argument.
        if (headerB.variableNamed(name) < 0) a.requireVariables(headerA, Set.of(name));
      }
      if (!header) {
        a.warnIfShort(spec.commandLine().getErr());
        b.warnIfShort(spec.commandLine().getErr());
      }
      differences =
          Comparison.compare(
              new Comparison.Side(a.file(), headerA),
              new Comparison.Side(b.file(), headerB),
              options,
              DumpCommand.counter(progress, Comparison.dataBytes(headerA, options)));
    } catch (NetcdfException e) {
      throw new CommandFailed(e.getMessage() + "; 'forebay netcdf validate' tells more", e);
    }
    PrintWriter out = spec.commandLine().getOut();
    if (json) out.println(Json.write(asJson(differences)));
    else print(differences, out, nameA, nameB);
    out.flush();
    return differences.isEmpty() ? SAME : DIFFERENT;
  }

  private Tolerance tolerance(CommandSpec spec) {
    if (tolerance == null) return Tolerance.NONE;
    String[] parts = tolerance.split(",", -1);
    try {
      if (parts.length <= 2) {
        double relative = parts.length == 2 ? Double.parseDouble(parts[1]) : 0;
        return new Tolerance(Double.parseDouble(parts[0]), relative);
      }
    } catch (IllegalArgumentException e) {
      throw wrongTolerance(spec, e);
    }
    throw wrongTolerance(spec, null);
  }

  private ParameterException wrongTolerance(CommandSpec spec, @Nullable Throwable cause) {
    return new ParameterException(
        spec.commandLine(),
        "tolerance '" + tolerance + "': give a difference and a ratio, such as 1e-6,1e-9",
        cause);
  }

  private static void print(
      List<Difference> differences, PrintWriter out, String nameA, String nameB) {
    for (Difference difference : differences) {
      String what = difference.what();
      out.println(
          switch (difference) {
            case Difference.Missing missing ->
                what + " is only in " + (missing.inFirst() ? nameA : nameB);
            case Difference.Unlike unlike ->
                "%s: %s and %s".formatted(what, unlike.first(), unlike.second());
            case Difference.Data data ->
                "%s: %d of %s differ, the first%s: %s and %s"
                    .formatted(
                        what,
                        data.count(),
                        Brief.counted(data.elements(), "element"),
                        data.index().isEmpty() ? "" : " at " + data.index(),
                        data.first(),
                        data.second());
          });
    }
    if (differences.isEmpty()) out.println("the same");
    else out.println(Brief.counted(differences.size(), "difference"));
  }

  private static Map<String, Object> asJson(List<Difference> differences) {
    List<Object> all = new ArrayList<>();
    for (Difference difference : differences) {
      Map<String, Object> one = new LinkedHashMap<>();
      one.put("what", difference.what());
      switch (difference) {
        case Difference.Missing missing -> one.put("onlyIn", missing.inFirst() ? "a" : "b");
        case Difference.Unlike unlike -> {
          one.put("a", unlike.first());
          one.put("b", unlike.second());
        }
        case Difference.Data data -> {
          one.put("different", data.count());
          one.put("elements", data.elements());
          one.put("index", data.index());
          one.put("a", data.first());
          one.put("b", data.second());
        }
      }
      all.add(one);
    }
    Map<String, Object> result = new LinkedHashMap<>();
    result.put("same", differences.isEmpty());
    result.put("differences", all);
    return result;
  }
}
