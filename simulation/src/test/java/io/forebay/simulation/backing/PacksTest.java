// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.backing;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.backing.BackingException;
import io.forebay.backing.BackingPath;
import io.forebay.backing.pack.PackCache;
import io.forebay.backing.pack.PackCatalogue;
import io.forebay.backing.pack.PackFolder;
import io.forebay.simulation.audit.PackAudit;
import io.forebay.simulation.world.SeatNode;
import io.forebay.wire.message.Names;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Small files that are stored together, and what becomes of them. */
class PacksTest {
  private static final String POLICY = "close,pack=4KiB";
  private static final int MANY = 20;
  private static final long PATIENCE = 60 * DrainedWorld.SECOND;

  private final DrainedWorld it = new DrainedWorld(POLICY);
  private final Map<String, String> files = new TreeMap<>();

  private void writeMany() {
    for (int i = 0; i < MANY; i++) write("f" + i, "content " + i);
    awaitDurable();
  }

  private void write(String name, String text) {
    it.write(name, text);
    files.put(name, text);
  }

  private void awaitDurable() {
    assertThat(it.world.runUntil(it::allDurable, PATIENCE)).isTrue();
  }

  /** The buffer has nothing of any file any more. */
  private void evict() {
    it.world.runFor(3 * DrainedWorld.SECOND);
    for (SeatNode seat : it.world.seats()) seat.callForRoom(1L << 40, true);
    it.world.runFor(3 * DrainedWorld.SECOND);
    assertThat(it.ledger().entries()).allMatch(entry -> entry.backed() || entry.sizeBytes() == 0);
  }

  private void assertAllReadable(DrainedWorld through) {
    files.forEach((name, text) -> assertThat(through.read(name)).isEqualTo(text));
  }

  private PackCatalogue catalogue() {
    try {
      return PackCatalogue.read(it.world.store(), new PackCache());
    } catch (BackingException e) {
      throw new AssertionError(e);
    }
  }

  private List<BackingPath> plain() {
    return it.world.store().names().stream().filter(name -> !PackAudit.isOwn(name)).toList();
  }

  /** The store has exactly these files, in packs or not. */
  private boolean storeIsAsHere() {
    Map<String, String> there = new TreeMap<>();
    for (BackingPath name : plain()) there.put(name.text(), "");
    for (String name : catalogue().names().keySet()) there.put(name, "");
    return there.keySet().equals(files.keySet());
  }

  @Test
  void areFewObjectsAndCanBeReadOnceTheBufferHasGivenThemUp() {
    writeMany();
    assertThat(plain()).isEmpty();
    assertThat(catalogue().names().keySet()).isEqualTo(files.keySet());
    assertThat(it.world.store().names()).hasSizeLessThan(MANY / 2);
    assertThat(it.world.store().calls()).isLessThan(MANY);
    evict();
    assertAllReadable(it);
  }

  @Test
  void largerFilesAndSingleOnesAreFilesOfTheirOwn() {
    it.write("large", 4096);
    it.world.runFor(5 * DrainedWorld.SECOND);
    it.write("alone", 10);
    awaitDurable();
    assertThat(plain()).containsExactly(BackingPath.of("alone"), BackingPath.of("large"));
  }

  @Test
  void aRenameIsNotedAndCopiesNothing() {
    writeMany();
    int commits = it.world.store().commits();
    for (int i = 0; i < MANY; i++) {
      String from = "f" + i;
      String to = "g" + i;
      it.change(root -> new Names.Rename(root, from, root, to, false, false));
      files.put(to, files.remove(from));
    }
    assertThat(it.world.runUntil(this::storeIsAsHere, PATIENCE)).isTrue();
    assertThat(it.world.store().commits() - commits).isLessThan(MANY);
    assertThat(it.named.stream().filter(PackAudit::isPack).count()).isLessThan(MANY / 2);
    evict();
    assertAllReadable(it);
  }

  @Test
  void whatIsDeletedIsGoneAndItsPackWithIt() {
    writeMany();
    for (String name : List.copyOf(files.keySet())) {
      it.change(root -> new Names.Unlink(root, name));
      files.remove(name);
    }
    assertThat(it.world.runUntil(this::storeIsAsHere, PATIENCE)).isTrue();
    assertThat(it.world.runUntil(() -> it.world.store().names().isEmpty(), PATIENCE)).isTrue();
  }

  @Test
  void aPackThatIsMostlyDeadIsWrittenAnew() {
    writeMany();
    evict();
    List<String> before = catalogue().uses().stream().map(PackCatalogue.Use::pack).toList();
    for (int i = 0; i < MANY - 3; i++) {
      String name = "f" + i;
      it.change(root -> new Names.Unlink(root, name));
      files.remove(name);
    }
    assertThat(
            it.world.runUntil(
                () ->
                    catalogue().uses().stream()
                        .noneMatch(use -> before.contains(use.pack()) || use.isMostlyDead()),
                PATIENCE))
        .isTrue();
    assertThat(storeIsAsHere()).isTrue();
    assertAllReadable(it);
  }

  @Test
  void aFileIsReplacedInEitherDirection() {
    writeMany();
    files.remove("f3");
    it.write("f3", 20_000);
    write("f4", "other content");
    write("f5", "other content, too");
    awaitDurable();
    assertThat(plain()).containsExactly(BackingPath.of("f3"));
    write("f3", "small again");
    write("f6", "with another");
    awaitDurable();
    assertThat(it.world.runUntil(() -> plain().isEmpty(), PATIENCE)).isTrue();
    assertThat(it.world.runUntil(this::storeIsAsHere, PATIENCE)).isTrue();
    evict();
    assertAllReadable(it);
  }

  @Test
  void anInstanceOverTheStoreShowsThemAndGoesOn() {
    writeMany();
    it.change(root -> new Names.Rename(root, "f1", root, "moved", false, false));
    files.put("moved", files.remove("f1"));
    assertThat(it.world.runUntil(this::storeIsAsHere, PATIENCE)).isTrue();
    DrainedWorld over = it.over("close");
    assertThat(over.list("/")).containsExactlyInAnyOrderElementsOf(files.keySet());
    assertAllReadable(over);
    over.change(root -> new Names.Rename(root, "moved", root, "f1", false, false));
    over.change(root -> new Names.Unlink(root, "f2"));
    files.put("f1", files.remove("moved"));
    files.remove("f2");
    assertThat(it.world.runUntil(this::storeIsAsHere, PATIENCE)).isTrue();
    assertAllReadable(over);
  }

  @Test
  void whatAnotherInstanceLeftIsReplacedThoughThisOneNeverSawIt() {
    writeMany();
    DrainedWorld later = it.after(POLICY);
    for (int i = 0; i < 3; i++) {
      later.write("f" + i, "later " + i);
      files.put("f" + i, "later " + i);
    }
    assertThat(it.world.runUntil(later::allDurable, PATIENCE)).isTrue();
    assertAllReadable(it.over("close"));
    assertThat(it.world.runUntil(() -> catalogue().superseded().isEmpty(), PATIENCE)).isTrue();
  }

  @Test
  void whatAHomeHadBegunWhenItDiedIsTakenBackAndBegunAgain() {
    for (int i = 0; i < MANY; i++) write("f" + i, "content " + i);
    assertThat(it.world.runUntil(() -> !it.world.store().attempts().isEmpty(), PATIENCE)).isTrue();
    SeatNode home = home();
    home.kill();
    it.world.runFor(10 * DrainedWorld.SECOND);
    home.start();
    awaitDurable();
    assertThat(it.world.runUntil(this::storeIsAsHere, 2 * PATIENCE)).isTrue();
    assertThat(it.world.runUntil(() -> it.world.store().attempts().isEmpty(), 2 * PATIENCE))
        .isTrue();
    evict();
    assertAllReadable(it);
  }

  private SeatNode home() {
    for (SeatNode node : it.world.seats()) {
      for (var group : it.world.map().groups()) {
        var state = node.seat().served(group.id());
        if (state == null) continue;
        for (int instance : state.instances()) {
          var view = state.backing(instance, 0);
          if (view != null && !view.packs().isEmpty()) return node;
        }
      }
    }
    throw new AssertionError("nobody stores files together");
  }

  @Test
  void namesBelowForebaysOwnAreRefusedWithARemedy() {
    it.makeDirectory(PackFolder.ROOT_NAME);
    it.write(PackFolder.ROOT_NAME + "/mine", 10);
    it.world.runFor(5 * DrainedWorld.SECOND);
    assertThat(it.ledger().entries())
        .singleElement()
        .satisfies(
            entry -> assertThat(entry.lastError()).contains("/.forebay").contains("rename it"));
  }
}
