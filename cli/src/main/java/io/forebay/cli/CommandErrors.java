// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli;

import io.forebay.cli.terminal.CommandFailed;
import io.forebay.client.enrol.RequestRefused;
import io.forebay.client.failure.ForebayException;
import io.forebay.wire.tls.BadTlsFile;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * Converts every failure of a command into one sentence on stderr that names the thing and the
 * remedy, and into an exit code. Stack traces are for {@code FOREBAY_DEBUG=1}.
 */
final class CommandErrors
    implements CommandLine.IParameterExceptionHandler, CommandLine.IExecutionExceptionHandler {
  private final boolean debug;

  CommandErrors(boolean debug) {
    this.debug = debug;
  }

  @Override
  public int handleParseException(ParameterException e, String[] arguments) {
    CommandLine command = e.getCommandLine();
    String name = command.getCommandSpec().qualifiedName();
    complain(command, describe(e) + "; see '" + name + " --help'", e);
    return CommandLine.ExitCode.USAGE;
  }

  @Override
  public int handleExecutionException(
      Exception e, CommandLine command, CommandLine.@Nullable ParseResult parsed) {
    complain(command, describe(e), e);
    return command.getCommandSpec().exitCodeOnExecutionException();
  }

  private void complain(CommandLine command, String message, Exception cause) {
    PrintWriter err = command.getErr();
    err.println("forebay: " + oneSentence(message));
    for (Throwable at = debug ? cause : null; at != null; at = at.getCause()) {
      err.println(at);
      for (StackTraceElement frame : at.getStackTrace()) err.println("  at " + frame);
    }
    err.flush();
  }

  private static String describe(ParameterException e) {
    if (!(e instanceof UnmatchedArgumentException unmatched)) return message(e);
    CommandLine command = e.getCommandLine();
    String first = unmatched.getUnmatched().getFirst();
    if (unmatched.isUnknownOption())
      return "unknown option '" + first + "'" + suggestion(unmatched);
    boolean expectsCommand =
        !command.getSubcommands().isEmpty()
            && command.getCommandSpec().positionalParameters().isEmpty();
    return (expectsCommand ? "unknown command '" : "unexpected argument '")
        + first
        + "'"
        + suggestion(unmatched);
  }

  /** Picocli suggests the most similar word; a hint is given only if the initial is the same. */
  private static String suggestion(UnmatchedArgumentException e) {
    String typed = e.getUnmatched().getFirst();
    int initialLength = Math.min(typed.length(), typed.startsWith("--") ? 3 : 1);
    String initial = typed.substring(0, initialLength);
    return e.getSuggestions().stream()
        .filter(suggestion -> suggestion.startsWith(initial))
        .findFirst()
        .map(suggestion -> " (did you mean '" + suggestion + "'?)")
        .orElse("");
  }

  /** Under LANG=C Java cannot name most files. */
  static String describe(InvalidPathException e) {
    return "'%s' is not a valid file name in this locale (%s); set LC_ALL=C.UTF-8"
        .formatted(e.getInput(), System.getProperty("sun.jnu.encoding", "unknown"));
  }

  private static String describe(Exception e) {
    return switch (e) {
      case InvalidPathException name -> describe(name);
      case CommandFailed failed -> message(failed);
      case UncheckedIOException unchecked when unchecked.getCause() != null ->
          describe(unchecked.getCause());
      case NoSuchFileException missing -> "'" + missing.getFile() + "' does not exist";
      case NotDirectoryException file -> "'" + file.getFile() + "' is not a directory";
      case FileAlreadyExistsException there -> "'" + there.getFile() + "' exists already";
      case DirectoryNotEmptyException full -> "'" + full.getFile() + "' is not empty";
      case AccessDeniedException denied ->
          "'" + denied.getFile() + "' is not accessible; check its permissions";
      case FileSystemException file when file.getReason() != null ->
          "'" + file.getFile() + "': " + file.getReason();
      case ForebayException cluster -> message(cluster);
      case BadTlsFile file -> message(file);
      case RequestRefused refused -> message(refused);
      case IOException io -> "input or output failed: " + message(io);
      default ->
          "internal error, %s: %s; run again with FOREBAY_DEBUG=1 and report the stack trace"
              .formatted(e.getClass().getSimpleName(), message(e));
    };
  }

  private static String message(Exception e) {
    String message = e.getMessage();
    return message == null || message.isBlank() ? e.getClass().getSimpleName() : message;
  }

  /** Joins lines, starts in lower case unless with a name, ends with one full stop. */
  private static String oneSentence(String message) {
    String line = message.strip().replaceAll("\\s*\\R\\s*", " ").replaceFirst("^Error: ", "");
    boolean capitalizedWord =
        line.length() > 1
            && Character.isUpperCase(line.charAt(0))
            && Character.isLowerCase(line.charAt(1));
    if (capitalizedWord) line = line.substring(0, 1).toLowerCase(Locale.ROOT) + line.substring(1);
    return line.endsWith(".") ? line : line + ".";
  }
}
