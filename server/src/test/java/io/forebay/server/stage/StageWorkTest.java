// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.stage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.forebay.backing.held.Actor;
import io.forebay.client.ForebayOptions;
import io.forebay.client.stage.StageNote;
import io.forebay.client.stage.StageProblem;
import io.forebay.client.stage.StageRequest;
import io.forebay.client.stage.StageStatus;
import io.forebay.server.stage.side.FileDirectory;
import io.forebay.server.stage.side.FileNode;
import io.forebay.server.stage.side.FilePace;
import io.forebay.server.stage.side.Item;
import io.forebay.server.stage.side.StageDirectory;
import io.forebay.server.stage.side.StageRoots;
import io.forebay.wire.message.Identity;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The work at a stage, with the file system on both sides, and what may not be reached there. */
@Timeout(60)
class StageWorkTest {
  private static final Identity SELF = ForebayOptions.defaults().identity();
  private static final Actor ACTOR = actor(SELF);
  private static final Instant WHEN = Instant.parse("2020-02-03T04:05:06.123456789Z");

  @TempDir private Path base;
  private Path root;
  private Path outside;
  private StageRoots side;
  private StageTally tally = new StageTally();

  @BeforeEach
  void makeRoots() throws IOException {
    // The owners of instances in these tests must find the root.
    Files.setPosixFilePermissions(base, PosixFilePermissions.fromString("rwxr-xr-x"));
    root = Files.createDirectory(base.resolve("root")).toRealPath();
    outside = Files.createDirectory(base.resolve("outside")).toRealPath();
    Files.writeString(outside.resolve("secret"), "secret");
    side = new StageRoots(List.of(root), "s1", ACTOR, new FilePace(0));
  }

  private StageNote.Progress stage(StageRequest request) {
    return stage(request, 1, false, null);
  }

  private StageNote.Progress stage(
      StageRequest request, int attempt, boolean onlyClears, BufferedReader list) {
    tally = new StageTally();
    new StageWork(
            new StageWork.Order("job", attempt, request),
            new StageWork.Route(side, side),
            new Reasons(ACTOR),
            tally,
            onlyClears)
        .run(list, StageWork.Others.NONE);
    return tally.progress(StageStatus.State.DONE, attempt, "s1", 0);
  }

  private StageRequest request(String from, String to) {
    return StageRequest.in(root + "/" + from, root + "/" + to);
  }

  private Path write(String name, String content) throws IOException {
    Path file = root.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, content);
    Files.setLastModifiedTime(file, FileTime.from(WHEN));
    return file;
  }

  private List<String> names(String directory) throws IOException {
    try (Stream<Path> all = Files.walk(root.resolve(directory))) {
      return all.map(path -> root.resolve(directory).relativize(path).toString())
          .filter(name -> !name.isEmpty())
          .sorted()
          .toList();
    }
  }

  @Test
  void aTreeIsCopiedWithTimesModesAndLinksAndTheSecondTimeNothingIs() throws IOException {
    write("a/one", "1");
    write("a/deep/er/two", "22");
    Files.setPosixFilePermissions(
        write("a/run", "#!"), PosixFilePermissions.fromString("rwxr-x---"));
    Files.createDirectory(root.resolve("a/empty"));
    Files.createSymbolicLink(root.resolve("a/link"), Path.of("deep/er"));
    Files.createLink(root.resolve("a/twin"), root.resolve("a/one"));
    StageNote.Progress first = stage(request("a", "b"));
    assertThat(first.failure()).isEmpty();
    assertThat(first.filesDone()).isEqualTo(5);
    assertThat(first.bytesCopied()).isEqualTo(6);
    assertThat(names("b"))
        .containsExactly("deep", "deep/er", "deep/er/two", "empty", "link", "one", "run", "twin");
    assertThat(root.resolve("b/deep/er/two")).hasContent("22");
    assertThat(Files.getLastModifiedTime(root.resolve("b/one")).toInstant()).isEqualTo(WHEN);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(root.resolve("b/run"))))
        .isEqualTo("rwxr-x---");
    assertThat(Files.readSymbolicLink(root.resolve("b/link"))).isEqualTo(Path.of("deep/er"));
    assertThat(first.notes()).as("both names of one file are told of").isEqualTo(2);
    StageNote.Progress second = stage(request("a", "b"));
    assertThat(second.filesPresent()).isEqualTo(5);
    assertThat(second.bytesCopied()).isZero();
  }

  @Test
  void whatIsThereAndDifferentStaysUnlessItIsToBeReplaced() throws IOException {
    write("a/one", "new");
    Files.writeString(root.resolve(write("b/one", "old").toString()), "other");
    StageNote.Progress kept = stage(request("a", "b"));
    assertThat(kept.filesFailed()).isEqualTo(1);
    assertThat(problems().getFirst().reason())
        .contains("exists already and is different", "--replace");
    assertThat(root.resolve("b/one")).hasContent("other");
    assertThat(stage(request("a", "b").withReplace(true)).filesDone()).isEqualTo(1);
    assertThat(root.resolve("b/one")).hasContent("new");
  }

  @Test
  void aDirectoryInTheWayIsNeverReplaced() throws IOException {
    write("a/one", "new");
    write("b/one/inside", "old");
    assertThat(stage(request("a", "b").withReplace(true)).filesFailed()).isEqualTo(1);
    assertThat(root.resolve("b/one/inside")).hasContent("old");
    write("c", "a file");
    assertThat(stage(request("a", "c")).failure()).contains("'" + root + "/c' is not a directory");
  }

  @Test
  void listsHaveTheirSourcesAndTheirFailures() throws IOException {
    write("a/one", "1");
    write("a/with space", "2");
    String list =
        String.join(
            "\n",
            "# what to stage",
            root + "/a/one " + root + "/x/first",
            root + "/a/with space\t" + root + "/x/",
            "",
            root + "/a/none " + root + "/x/none",
            "/etc/passwd " + root + "/x/passwd");
    StageNote.Progress end =
        stage(
            StageRequest.list(StageRequest.Direction.IN),
            1,
            false,
            new BufferedReader(new StringReader(list)));
    assertThat(end.failure()).isEmpty();
    assertThat(end.filesDone()).isEqualTo(2);
    assertThat(end.filesFailed()).isEqualTo(2);
    assertThat(names("x")).containsExactly("first", "with space");
    assertThat(problems())
        .extracting(StageProblem::path)
        .containsExactly(root + "/a/none", "/etc/passwd");
  }

  @Test
  void whatAServerLeftBehindIsRemovedByTheNext() throws IOException {
    write("a/one", "1");
    write("b/.forebay-stage-job-1-1", "half");
    write("b/.forebay-stage-other-1-1", "somebody else's");
    stage(request("a", "b"), 2, false, null);
    assertThat(names("b")).containsExactly(".forebay-stage-other-1-1", "one");
    write("a/deep/two", "2");
    write("b/deep/.forebay-stage-job-2-7", "half");
    stage(request("a", "b"), 3, true, null);
    assertThat(names("b")).containsExactly(".forebay-stage-other-1-1", "deep", "one");
    assertThat(stage(request("b", "c")).filesDone()).as("drafts are not staged").isEqualTo(1);
  }

  @Test
  void nothingLeadsOutOfTheRoots() throws IOException {
    Files.createSymbolicLink(root.resolve("out"), outside);
    Files.createSymbolicLink(root.resolve("passwd"), Path.of("/etc/passwd"));
    assertThat(stage(request("out", "b")).failure()).contains("leads outside of what server s1");
    assertThat(stage(request("passwd", "b")).failure()).contains("leads outside");
    assertThat(stage(request("out/secret", "b")).failure()).contains("leads outside");
    write("one", "1");
    assertThat(stage(request("one", "out/one")).failure()).contains("leads outside");
    assertThat(stage(request("../outside/secret", "b")).failure()).contains("'..'");
    assertThat(stage(StageRequest.in("/etc/passwd", root + "/b")).failure())
        .contains("'/etc/passwd' is outside of what server s1 may stage", root.toString());
    assertThat(stage(StageRequest.in(root + "x/y", root + "/b")).failure()).contains("is outside");
    assertThat(outside)
        .isDirectoryContaining("glob:**/secret")
        .isDirectoryNotContaining("glob:**/one");
  }

  @Test
  void linksInsideAreKeptAndNeverFollowed() throws IOException {
    write("a/one", "1");
    Files.createSymbolicLink(root.resolve("a/out"), outside);
    StageNote.Progress end = stage(request("a", "b"));
    assertThat(end.failure()).isEmpty();
    assertThat(names("b")).containsExactly("one", "out");
    assertThat(Files.readSymbolicLink(root.resolve("b/out"))).isEqualTo(outside);
    assertThat(problems())
        .containsExactly(
            new StageProblem(
                root + "/a/out", false, "it is a link to '" + outside + "', kept as it is"));
    // At the target a link in the way of a directory is not followed either.
    write("c/d/two", "2");
    Files.createDirectory(root.resolve("t"));
    Files.createSymbolicLink(root.resolve("t/d"), outside);
    assertThat(stage(request("c", "t")).filesFailed()).isEqualTo(1);
    assertThat(outside.resolve("two")).doesNotExist();
  }

  @Test
  void aDirectoryThatIsSwappedForALinkIsStillTheOneThatWasOpened() throws IOException {
    Path place = Files.createDirectory(root.resolve("place"));
    write("place/one", "1");
    try (FileDirectory held = side.directory(place.toString(), 0755)) {
      Files.move(place, root.resolve("moved"));
      Files.createSymbolicLink(place, outside);
      assertThat(held.look("secret")).isNull();
      assertThat(held.look("one")).isNotNull();
      held.make("made", 0755).close();
      try (StageDirectory.Draft draft = held.draft("draft")) {
        draft.write(new byte[] {'x'}, 1);
        draft.finish(new Item("two", Item.Kind.FILE, 1, WHEN, 0644, 1));
      }
      assertThatThrownBy(() -> held.enter("..")).hasMessageContaining("no name");
      assertThatThrownBy(() -> held.look("../secret")).hasMessageContaining("no name");
    }
    assertThat(names("moved")).containsExactly("made", "one", "two");
    assertThat(outside).isDirectoryNotContaining("glob:**/{made,two}");
    try (FileDirectory top = side.directory(root.toString(), 0755)) {
      assertThatThrownBy(() -> top.enter("place")).isInstanceOf(FileSystemException.class);
      Files.createSymbolicLink(root.resolve("file"), outside.resolve("secret"));
      assertThatThrownBy(() -> top.read("file", 0)).isInstanceOf(FileSystemException.class);
    }
  }

  @Test
  void theRightsOfTheOwnerCountNotThoseOfTheServer() throws IOException {
    Actor stranger = actor(new Identity(12345, List.of(12345)));
    StageRoots ofStranger = new StageRoots(List.of(root), "s1", stranger, new FilePace(0));
    Path own = write("own/private", "mine");
    Files.setPosixFilePermissions(own, PosixFilePermissions.fromString("rw-------"));
    Files.setPosixFilePermissions(
        root.resolve("own"), PosixFilePermissions.fromString("rwxr-xr-x"));
    Files.setPosixFilePermissions(root, PosixFilePermissions.fromString("rwxr-xr-x"));
    try (FileDirectory place = ofStranger.directory(root + "/own", 0755)) {
      assertThatThrownBy(() -> place.read("private", 0)).isInstanceOf(AccessDeniedException.class);
      assertThatThrownBy(() -> place.draft("d")).isInstanceOf(AccessDeniedException.class);
    }
    Files.setPosixFilePermissions(
        root.resolve("own"), PosixFilePermissions.fromString("rwx------"));
    assertThatThrownBy(() -> ofStranger.find(root + "/own"))
        .isInstanceOf(AccessDeniedException.class);
  }

  @Test
  void whatARootServerMakesIsTheOwnersAndOthersFilesStay() throws IOException {
    assumeTrue(SELF.user() == Identity.ROOT, "only root gives files away");
    Identity owner = new Identity(12345, List.of(54321));
    StageRoots ofOwner = new StageRoots(List.of(root), "s1", actor(owner), new FilePace(0));
    Path shared = Files.createDirectory(root.resolve("shared"));
    Files.setAttribute(shared, "unix:mode", 01777);
    write("shared/theirs", "kept");
    try (FileDirectory place = ofOwner.directory(root + "/shared", 0755)) {
      try (StageDirectory.Draft draft = place.draft("draft")) {
        draft.finish(new Item("mine", Item.Kind.FILE, 0, WHEN, 0640, 1));
      }
      place.link("draft", "link", "mine");
      place.make("made", 0700).close();
      for (String name : List.of("mine", "link", "made")) {
        FileNode node = FileNode.of(shared.resolve(name), LinkOption.NOFOLLOW_LINKS);
        assertThat(List.of(node.user(), node.group())).as(name).containsExactly(12345, 54321);
      }
      try (StageDirectory.Draft draft = place.draft("draft")) {
        assertThatThrownBy(() -> draft.finish(new Item("theirs", Item.Kind.FILE, 0, WHEN, 0640, 1)))
            .isInstanceOf(AccessDeniedException.class);
      }
    }
    assertThat(root.resolve("shared/theirs")).hasContent("kept");
    assertThat(names("shared")).containsExactly("link", "made", "mine", "theirs");
  }

  @Test
  void whatCannotBeIsSaidWithWhatHelps() throws IOException {
    StageRoots none = new StageRoots(List.of(), "s1", ACTOR, new FilePace(0));
    assertThatThrownBy(() -> none.find("/data/x"))
        .hasMessageContaining("server s1 may stage nothing; start it with --stage-root DIR");
    StageRoots gone = new StageRoots(List.of(root.resolve("gone")), "s1", ACTOR, new FilePace(0));
    assertThatThrownBy(() -> gone.find(root + "/gone/x"))
        .hasMessageContaining("does not exist; make it");
    Reasons reasons = new Reasons(ACTOR);
    FileSystemException full = new FileSystemException("/t/x", null, "No space left on device");
    assertThat(Reasons.endsAll(full)).isTrue();
    assertThat(reasons.sentence(full, "/t")).contains("no room is left at '/t/x'", "make room");
    IOException written = new IOException("Read-only file system");
    assertThat(Reasons.endsAll(written)).isTrue();
    assertThat(reasons.sentence(written, "/t/y")).contains("'/t/y'", "read-only");
    assertThat(reasons.sentence(new AccessDeniedException("/t/z"), "/t"))
        .contains("'/t/z' is not accessible", "user " + SELF.user());
    write("one", "1");
    assertThat(stage(request("none", "b")).failure())
        .isEqualTo("'" + root + "/none' does not exist");
  }

  @Test
  void aServerThatSeesOtherFilesIsFoundOut() throws IOException {
    StageWork.Route route = new StageWork.Route(side, side);
    StageNote.File file = new StageNote.File("one", "copy", 1, 0, 0644, 1);
    StageNote.Part part = new StageNote.Part(root + "/a", root + "/b", false, List.of(file));
    StageNote.Task in = new StageNote.Task(StageNote.VERSION, "", List.of(part), "", 0, 0);
    assertThatThrownBy(() -> TaskCopy.requireSameFiles(route, in))
        .isInstanceOf(FileSystemException.class);
    Files.createDirectory(root.resolve("a"));
    assertThatThrownBy(() -> TaskCopy.requireSameFiles(route, in))
        .hasMessageContaining("one' is not there");
    write("a/one", "1");
    TaskCopy.requireSameFiles(route, in);
    Files.createDirectory(root.resolve("b"));
    StageNote.Task out =
        new StageNote.Task(StageNote.VERSION, root + "/b/proof", List.of(part), "", 0, 0);
    assertThatThrownBy(() -> TaskCopy.requireSameFiles(route, out))
        .hasMessageContaining("is another one");
    write("b/proof", "");
    TaskCopy.requireSameFiles(route, out);
    // A directory on the way that has become a link is not followed.
    Files.createSymbolicLink(root.resolve("l"), root.resolve("a"));
    assertThatThrownBy(() -> side.at(root + "/l")).hasMessageContaining("has become a link");
  }

  @Test
  void largeFilesAreCopiedInRanges() throws IOException {
    byte[] content = new byte[100_001];
    new Random(7).nextBytes(content);
    Files.createDirectory(root.resolve("a"));
    Files.write(root.resolve("a/large"), content);
    tally = new StageTally();
    new StageWork(
            new StageWork.Order("job", 1, request("a", "b"), 1000),
            new StageWork.Route(side, side),
            new Reasons(ACTOR),
            tally,
            false)
        .run(null, StageWork.Others.NONE);
    assertThat(root.resolve("b/large")).hasBinaryContent(content);
    assertThat(names("b")).containsExactly("large");
    StageNote.Progress end = tally.progress(StageStatus.State.DONE, 1, "s1", 0);
    assertThat(end.filesDone()).isEqualTo(1);
    assertThat(end.bytesCopied()).isEqualTo(content.length);
    assertThat(Files.getLastModifiedTime(root.resolve("b/large")))
        .isEqualTo(Files.getLastModifiedTime(root.resolve("a/large")));
  }

  @Test
  void timesAreComparedAsTheCopyKeepsThem() {
    Item source = new Item("f", Item.Kind.FILE, 5, WHEN, 0644, 1);
    for (ChronoUnit unit : List.of(ChronoUnit.NANOS, ChronoUnit.MICROS, ChronoUnit.SECONDS)) {
      Instant kept = WHEN.truncatedTo(unit);
      assertThat(new Item("f", Item.Kind.FILE, 5, kept, 0644, 1).isCopyOf(source)).isTrue();
      assertThat(new Item("f", Item.Kind.FILE, 6, kept, 0644, 1).isCopyOf(source)).isFalse();
    }
    Item later = new Item("f", Item.Kind.FILE, 5, WHEN.plusNanos(1), 0644, 1);
    assertThat(later.isCopyOf(source)).isFalse();
  }

  private static Actor actor(Identity who) {
    return new Actor(who.user(), who.groups(), SELF.user());
  }

  private List<StageProblem> problems() {
    return new ArrayList<>(tally.problems());
  }
}
