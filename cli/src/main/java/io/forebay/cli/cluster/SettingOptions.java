// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.cluster;

import io.forebay.cli.terminal.CommandFailed;
import io.forebay.server.settings.BadSetting;
import io.forebay.server.settings.Key;
import io.forebay.server.settings.Keys;
import io.forebay.server.settings.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.IModelTransformer;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;

/** The keys that can be set as options of a command: each {@code key} is {@code --key}. */
public final class SettingOptions {
  private static final String LEVEL_PROPERTY = "org.slf4j.simpleLogger.log.io.forebay";

  private SettingOptions() {}

  /** Gives {@code forebay manager} its options. */
  public static final class OfManager implements IModelTransformer {
    @Override
    public CommandSpec transform(CommandSpec command) {
      return add(command, Keys.MANAGER);
    }
  }

  /** Gives {@code forebay server} its options. */
  public static final class OfServer implements IModelTransformer {
    @Override
    public CommandSpec transform(CommandSpec command) {
      return add(command, Keys.SERVER);
    }
  }

  /** Gives {@code forebay up} its options. */
  public static final class OfUp implements IModelTransformer {
    @Override
    public CommandSpec transform(CommandSpec command) {
      return add(command, Keys.UP);
    }
  }

  private static CommandSpec add(CommandSpec command, List<Key<?>> keys) {
    for (Key<?> key : keys) {
      OptionSpec.Builder option =
          OptionSpec.builder("--" + key.name())
              // A type that completion knows: file names are offered.
              .type(key.kind().isPath() ? Path.class : String.class)
              .paramLabel(key.kind().label())
              .description(key.meaning() + " Default: " + key.otherwise() + ".");
      // On or off: the bare option means on.
      if (key.isFlag()) option.arity("0..1").fallbackValue("true");
      command.addOption(option.build());
    }
    return command;
  }

  /** The given settings, from a file or as options; ends the command if one is invalid. */
  public static Settings read(CommandSpec command, List<Key<?>> keys, @Nullable Path file)
      throws IOException {
    if (file != null && !Files.isRegularFile(file)) {
      throw new CommandFailed("'" + file + "' is not a file; name a configuration file");
    }
    Map<String, String> options = new LinkedHashMap<>();
    for (Key<?> key : keys) {
      OptionSpec option = command.commandLine().getParseResult().matchedOption("--" + key.name());
      if (option != null && option.getValue() != null) {
        options.put(key.name(), option.getValue().toString());
      }
    }
    try {
      // Options alone first: an invalid option is a usage error.
      Settings.read(keys, null, options);
    } catch (BadSetting e) {
      throw new ParameterException(command.commandLine(), e.sentence(), e);
    }
    try {
      return Settings.read(keys, file, options);
    } catch (BadSetting e) {
      throw new CommandFailed(e.sentence(), e);
    }
  }

  /** The value of a key that must have one; a missing value is a usage error. */
  public static <T> T get(CommandSpec command, Settings settings, Key<T> key) {
    try {
      return settings.get(key);
    } catch (BadSetting e) {
      throw new ParameterException(command.commandLine(), e.sentence(), e);
    }
  }

  /** Before the first log line. */
  public static void setLevel(String level) {
    System.setProperty(LEVEL_PROPERTY, level);
  }
}
