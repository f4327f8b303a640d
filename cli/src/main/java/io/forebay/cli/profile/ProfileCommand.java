// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.profile;

import io.forebay.base.Json;
import io.forebay.cli.terminal.Brief;
import io.forebay.cli.terminal.CommandFailed;
import io.forebay.cli.terminal.Table;
import io.forebay.client.profile.Profile;
import io.forebay.client.profile.ProfileFolder;
import io.forebay.client.profile.ProgramProfile;
import io.forebay.client.profile.page.Figures;
import io.forebay.client.profile.page.ProfileJson;
import io.forebay.client.profile.page.ProfilePage;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Shows what programs did with instances. */
@Command(
    name = "profile",
    description = {
      "Show what programs did through the mounts of this machine, also through those that are over:",
      "sizes and order of reads and writes, alignment, shared files, calls and their times, and what",
      "would help. Several programs are listed, and the one with the most bytes is shown in full."
    })
public final class ProfileCommand implements Callable<Integer> {
  private static final int TOLD_MAX = 8;
  private static final int NAME_CHARS = 34;

  @Spec private @Nullable CommandSpec spec;

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "INSTANCE|PID|PATH",
      description =
          "Only what was done with that instance, by that process or through the mount that it"
              + " serves, or with that mount or file.")
  private String which = "";

  @Option(
      names = "--program",
      paramLabel = "NAME",
      description = "Only what programs of that name did, each in full.")
  private @Nullable String program;

  @Option(names = "--json", description = "Print everything as JSON.")
  private boolean json;

  @Override
  public Integer call() throws IOException {
    if (spec == null) throw new IllegalStateException("run outside of a command line");
    PrintWriter out = spec.commandLine().getOut();
    ProfileFolder folder = ProfileFolder.usual(System.getenv());
    FoundProfiles found = FoundProfiles.find(folder);
    PrintWriter err = spec.commandLine().getErr();
    for (Path silent : found.silent()) err.println(silence(silent));
    err.flush();
    List<ProgramProfile> chosen = Selection.of(which, found.profiles());
    String wanted = program;
    if (wanted != null) chosen.removeIf(each -> !each.program().equals(wanted));
    if (chosen.isEmpty()) throw new CommandFailed(nothing(found, folder));
    if (json) out.println(Json.write(json(found.profiles(), chosen)));
    else print(chosen, out);
    out.flush();
    return 0;
  }

  private static String silence(Path mount) {
    return "forebay: WARNING: the mount at '%s' gives no profile to this user: it was mounted with profile=off, by another user, or does not answer"
        .formatted(mount);
  }

  private String nothing(FoundProfiles found, ProfileFolder folder) {
    if (found.profiles().isEmpty()) {
      return "no mount on this machine has a profile for this user, and none was left in '%s'; 'forebay mount' makes one"
          .formatted(folder.path());
    }
    String what = program == null ? "" : " by programs named '" + program + "'";
    return "nothing is known of '%s'%s; 'forebay profile' shows what is known, of each program the %s"
        .formatted(which, what, "32 files with the most bytes");
  }

  private static Map<String, @Nullable Object> json(
      List<Profile> profiles, List<ProgramProfile> chosen) {
    List<Object> sources = new ArrayList<>();
    for (Profile profile : profiles) {
      Map<String, Object> source = new LinkedHashMap<>();
      source.put("instance", profile.instance());
      source.put("place", profile.place());
      source.put("process", profile.process());
      source.put("beganMillis", profile.beganMillis());
      source.put("takenMillis", profile.takenMillis());
      source.put("over", profile.over());
      sources.add(source);
    }
    Map<String, @Nullable Object> tree = new LinkedHashMap<>();
    tree.put("sources", sources);
    tree.put("programs", chosen.stream().map(ProfileJson::of).toList());
    return tree;
  }

  private void print(List<ProgramProfile> chosen, PrintWriter out) {
    if (chosen.size() == 1 || program != null) {
      for (int i = 0; i < chosen.size(); i++) {
        if (i > 0) out.println();
        ProfilePage.lines(chosen.get(i)).forEach(out::println);
      }
      return;
    }
    Table table =
        new Table(2, "program", "instance", "user", "processes", "written", "read", "in calls");
    for (ProgramProfile each : chosen) {
      table.row(
          Brief.start(each.program(), NAME_CHARS),
          Brief.end(each.instance(), NAME_CHARS),
          Integer.toString(each.user()),
          Integer.toString(each.processes().size()),
          Brief.size(each.writes().bytes()),
          Brief.size(each.reads().bytes()),
          Figures.time(each.calls().allNanos()));
    }
    table.print(out);
    for (int i = 1; i < Math.min(TOLD_MAX, chosen.size()); i++) {
      if (chosen.get(i).bytes() == 0) continue;
      out.println();
      ProfilePage.words(chosen.get(i)).forEach(out::println);
    }
    out.println();
    ProfilePage.lines(chosen.get(0)).forEach(out::println);
    out.println();
    out.println("'forebay profile --program NAME' shows another program in full.");
  }
}
