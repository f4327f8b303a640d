// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.netcdf;

import io.forebay.base.ByteSize;
import io.forebay.cli.terminal.Progress;
import io.forebay.netcdf.cdl.CdlOptions;
import io.forebay.netcdf.cdl.CdlOptions.Data;
import io.forebay.netcdf.cdl.CdlOptions.Precision;
import io.forebay.netcdf.cdl.CdlWriter;
import io.forebay.netcdf.format.Header;
import io.forebay.netcdf.format.NetcdfException;
import io.forebay.netcdf.format.Variable;
import java.io.IOException;
import java.io.OutputStream;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Writes a file as text. */
@Command(
    name = "dump",
    description = "Write a netCDF file as CDL, the text that ncdump writes, to standard output.",
    footer = {
      "",
      "The text is that of ncdump, byte for byte; ncgen turns it into a file again.",
      "With '-p 9,17' floating-point numbers are exact to the last bit.",
      "Exit codes: 0 done, 1 failed, 2 wrong arguments.",
    })
final class DumpCommand implements Callable<Integer> {
  private static final int DIGITS_MAX = 40;
  private static final int LINE_CHARS_MIN = 10;
  private static final int LINE_CHARS_MAX = 100_000;

  @Spec private @Nullable CommandSpec spec;

  @Parameters(paramLabel = "FILE", description = "The file.")
  private @Nullable String name;

  @Option(names = "--header", description = "The header only, no data.")
  private boolean header;

  @Option(
      names = {"-c", "--coordinates"},
      description = "Data of coordinate variables only.")
  private boolean coordinates;

  @Option(
      names = {"-v", "--variables"},
      paramLabel = "NAME",
      split = ",",
      description = "Data of these variables only.")
  private List<String> variables = List.of();

  @Option(
      names = {"-p", "--precision"},
      paramLabel = "N[,N]",
      description = "Digits of floats and doubles; 7,15 without it.")
  private @Nullable String precision;

  @Option(
      names = {"-l", "--line"},
      paramLabel = "N",
      defaultValue = "80",
      description = "How long lines of data are (default: ${DEFAULT-VALUE}).")
  private int lineChars;

  @Option(
      names = {"-n", "--name"},
      paramLabel = "NAME",
      description = "The name of the file in the text (default: the file's own).")
  private @Nullable String called;

  @Option(names = "--json", description = "Write it as JSON.")
  private boolean json;

  @Override
  public Integer call() throws IOException {
    if (spec == null || name == null) {
      throw new IllegalStateException("run outside of a command line");
    }
    CdlOptions options = options(spec, name);
    try (NetcdfSource source = NetcdfSource.open(name);
        Progress progress = Progress.of("writing", spec.commandLine().getErr())) {
      Header content = source.header();
      source.requireVariables(content, options.variables());
      if (!header) source.warnIfShort(spec.commandLine().getErr());
      long totalBytes = dataBytes(content, options);
      // On a terminal the text itself shows how far it is.
      LongConsumer told = Progress.onTerminal() ? bytes -> {} : counter(progress, totalBytes);
      OutputStream out = new StandardOutput();
      try {
        if (json) DumpJson.write(source.file(), content, options, out, told);
        else CdlWriter.write(source.file(), content, options, out, told);
      } catch (NetcdfException e) {
        out.flush();
        throw source.failed(e);
      } catch (StandardOutput.Closed closed) {
        // Such as a pager that the user has quit: no reader is left for a message.
        return ExitCode.SOFTWARE;
      }
    }
    return ExitCode.OK;
  }

  private CdlOptions options(CommandSpec spec, String name) {
    if (lineChars < LINE_CHARS_MIN || lineChars > LINE_CHARS_MAX) {
      throw new ParameterException(
          spec.commandLine(),
          "lines of %d characters: choose %d to %d"
              .formatted(lineChars, LINE_CHARS_MIN, LINE_CHARS_MAX));
    }
    Set<String> wanted = new LinkedHashSet<>(variables);
    if (header && coordinates) {
      throw new ParameterException(spec.commandLine(), "-h and -c exclude each other");
    }
    Data data = header ? Data.NONE : coordinates ? Data.COORDINATES : Data.ALL;
    String title = called != null ? called : CdlWriter.nameOf(name);
    return new CdlOptions(title, data, wanted, lineChars, precision(spec));
  }

  private Precision precision(CommandSpec spec) {
    if (precision == null) return Precision.DEFAULT;
    String[] digits = precision.split(",", -1);
    try {
      int floats = Integer.parseInt(digits[0].strip());
      int doubles = digits.length == 2 ? Integer.parseInt(digits[1].strip()) : floats;
      boolean possible = floats > 0 && doubles > 0 && floats <= DIGITS_MAX && doubles <= DIGITS_MAX;
      if (digits.length <= 2 && possible) {
        int doubleDigits = digits.length == 2 ? doubles : Precision.DEFAULT.doubleDigits();
        return new Precision(floats, doubleDigits, true);
      }
    } catch (NumberFormatException e) {
      throw wrongPrecision(spec, e);
    }
    throw wrongPrecision(spec, null);
  }

  private ParameterException wrongPrecision(CommandSpec spec, @Nullable Throwable cause) {
    String message =
        "precision '%s': give digits of floats and of doubles, 1 to %d, such as 9,17"
            .formatted(precision, DIGITS_MAX);
    return new ParameterException(spec.commandLine(), message, cause);
  }

  private static long dataBytes(Header header, CdlOptions options) {
    long total = 0;
    for (Variable variable : CdlWriter.withData(header, options)) {
      long parts = header.isRecord(variable) ? header.recordCount() : 1;
      total += parts * header.dataBytes(variable);
    }
    return total;
  }

  /** Shows how many of a total number of bytes are done. */
  static LongConsumer counter(Progress progress, long totalBytes) {
    return new LongConsumer() {
      private long done;

      @Override
      public void accept(long bytes) {
        done += bytes;
        progress.update(
            done, totalBytes, ByteSize.format(done) + " of " + ByteSize.format(totalBytes));
      }
    };
  }
}
