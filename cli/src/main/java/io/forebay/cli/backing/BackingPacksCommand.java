// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.backing;

import io.forebay.backing.BackingException;
import io.forebay.backing.BackingPath;
import io.forebay.backing.BackingStore;
import io.forebay.backing.pack.PackCache;
import io.forebay.backing.pack.PackCatalogue;
import io.forebay.backing.pack.PackedStore;
import io.forebay.base.ByteSize;
import io.forebay.base.Json;
import io.forebay.cli.terminal.Brief;
import io.forebay.cli.terminal.CommandFailed;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Lists the small files in a store's packs, and extracts them. */
@Command(
    name = "packs",
    description = "List the small files in a backing store's packs, or extract them.",
    footer = {
      "",
      "A pack is a ZIP archive in .forebay/packs; renamed files are listed in notes beside it.",
      "Exit codes: 0 done, 1 something cannot be read or written, 2 wrong arguments.",
    })
final class BackingPacksCommand implements Callable<Integer> {
  @Spec private @Nullable CommandSpec spec;

  @Parameters(paramLabel = "ADDRESS", description = "The store.")
  private @Nullable String address;

  @Option(
      names = "--extract",
      paramLabel = "DIR",
      description = "Extract them there, under their names; existing files are not replaced.")
  private @Nullable Path extract;

  @Option(names = "--json", description = "Print the result as JSON.")
  private boolean json;

  @Override
  public Integer call() throws IOException {
    if (spec == null || address == null) {
      throw new IllegalStateException("run outside of a command line");
    }
    PrintWriter out = spec.commandLine().getOut();
    try (BackingStore store = BackingCheckCommand.open(spec, address)) {
      store.check();
      PackedStore packed = new PackedStore(store, new PackCache());
      PackCatalogue catalogue = packed.catalogue();
      if (extract != null) extract(packed, catalogue, extract);
      if (json) out.println(Json.write(asJson(catalogue)));
      else print(catalogue, out);
      out.flush();
      return CommandLine.ExitCode.OK;
    } catch (BackingException failed) {
      throw new CommandFailed(failed.failure().sentence());
    }
  }

  private void print(PackCatalogue catalogue, PrintWriter out) {
    catalogue
        .names()
        .forEach(
            (path, named) ->
                out.printf(
                    "%10s  /%s  (%s)%n",
                    ByteSize.format(named.member().sizeBytes()), path, named.place().pack()));
    long sizeBytes = 0;
    long deadBytes = 0;
    for (PackCatalogue.Use use : catalogue.uses()) {
      sizeBytes += use.sizeBytes();
      deadBytes += use.dataBytes() - use.liveBytes();
    }
    out.printf(
        "%s in %s of %s, %s of it dead%s%n",
        Brief.counted(catalogue.names().size(), "file"),
        Brief.counted(catalogue.uses().size(), "pack"),
        ByteSize.format(sizeBytes),
        ByteSize.format(deadBytes),
        extract == null ? "" : "; written to " + extract);
  }

  private static Map<String, Object> asJson(PackCatalogue catalogue) {
    List<Map<String, Object>> files = new ArrayList<>();
    catalogue
        .names()
        .forEach(
            (path, named) -> {
              Map<String, Object> file = new LinkedHashMap<>();
              file.put("path", "/" + path);
              file.put("sizeBytes", named.member().sizeBytes());
              file.put("pack", named.place().pack());
              file.put("offset", named.place().offset());
              files.add(file);
            });
    List<Map<String, Object>> packs = new ArrayList<>();
    for (PackCatalogue.Use use : catalogue.uses()) {
      Map<String, Object> pack = new LinkedHashMap<>();
      pack.put("pack", use.pack());
      pack.put("sizeBytes", use.sizeBytes());
      pack.put("files", use.entries());
      pack.put("liveFiles", use.liveEntries());
      pack.put("deadBytes", use.dataBytes() - use.liveBytes());
      packs.add(pack);
    }
    Map<String, Object> result = new LinkedHashMap<>();
    result.put("files", files);
    result.put("packs", packs);
    return result;
  }

  private static void extract(PackedStore store, PackCatalogue catalogue, Path directory)
      throws BackingException, IOException {
    for (PackCatalogue.Named named : catalogue.names().values()) {
      String path = named.member().path();
      byte[] bytes = read(store, named);
      CRC32 crc = new CRC32();
      crc.update(bytes);
      if ((int) crc.getValue() != named.crc32()) {
        throw new CommandFailed(
            "'/%s' in %s does not have its checksum: %s is damaged"
                .formatted(path, store.description(), named.place().pack()));
      }
      // A path of a store has no names that lead out of the directory.
      Path target = directory.resolve(path);
      Path parent = target.getParent();
      if (parent != null) Files.createDirectories(parent);
      try {
        Files.write(target, bytes, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
      } catch (FileAlreadyExistsException e) {
        throw new CommandFailed("'" + target + "' exists already: name an empty directory");
      }
    }
  }

  private static byte[] read(PackedStore store, PackCatalogue.Named named) throws BackingException {
    ByteBuffer bytes = ByteBuffer.allocate((int) named.member().sizeBytes());
    BackingPath path = BackingPath.of(named.member().path());
    while (bytes.hasRemaining()) {
      int read = store.read(path, named.place().toString(), bytes.position(), bytes);
      if (read == 0) throw new CommandFailed("'" + path + "' ends too early");
    }
    return bytes.array();
  }
}
