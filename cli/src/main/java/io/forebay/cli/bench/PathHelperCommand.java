// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.bench;

import io.forebay.bench.path.peer.PathHelper;
import io.forebay.cli.terminal.CommandFailed;
import io.forebay.wire.Address;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The other end of the network's measurements, on another machine. */
@Command(
    name = "path-helper",
    description =
        "Run the other end for 'forebay bench path --remote' until Ctrl-C. It keeps no bytes and"
            + " reads no files, and every program that reaches it may use it.")
final class PathHelperCommand implements Runnable {
  @Spec private @Nullable CommandSpec spec;

  @Option(
      names = "--listen",
      paramLabel = "HOST:PORT",
      required = true,
      description =
          "The address at which the measuring machine reaches it; a second port, any"
              + " free one, is used beside it.")
  private @Nullable String listen;

  @Override
  public void run() {
    if (spec == null || listen == null) throw new IllegalStateException("no address");
    PrintWriter out = spec.commandLine().getOut();
    PrintWriter err = spec.commandLine().getErr();
    CountDownLatch never = new CountDownLatch(1);
    Address address;
    try {
      address = Address.parse(listen);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
    }
    try (PathHelper helper =
        PathHelper.listen(
            address,
            problem -> {
              err.println("forebay: " + problem);
              err.flush();
            })) {
      out.println(
          "'forebay bench path --remote " + helper.address() + "' may use this; Ctrl-C ends");
      out.flush();
      never.await();
    } catch (IOException e) {
      throw new CommandFailed(String.valueOf(e.getMessage()), e);
    } catch (InterruptedException interrupt) {
      Thread.currentThread().interrupt();
    }
  }
}
