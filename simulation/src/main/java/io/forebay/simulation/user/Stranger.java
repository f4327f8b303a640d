package io.forebay.simulation.user;

import io.forebay.simulation.audit.Audit;
import io.forebay.simulation.world.ClientNode;
import io.forebay.simulation.world.World;
import io.forebay.wire.message.Identity;
import io.forebay.wire.message.Names;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A user without rights to the files of others who has guessed their numbers. It says that it
 * writes them, without having opened them; no home may take that (P28).
 */
public final class Stranger extends Audit {
  private static final long PAUSE_NANOS = 500_000_000L;
  private static final int CLIENT_NUMBER = 1_000_000;
  private static final long SEED = 0x7374_7261_6e67_6572L;
  private static final int USER = 54321;
  private static final Identity WHO = new Identity(USER, List.of(USER));

  /** Files that users of a simulation make. */
  private static final int FILES = 4;

  private @Nullable ClientNode node;
  private long nextNanos;
  private int tries;

  public Stranger(World world) {
    super(world);
  }

  public void act(String instance) {
    if (world().nanos() < nextNanos) return;
    nextNanos = world().nanos() + PAUSE_NANOS;
    if (node == null) {
      begin(instance);
      return;
    }
    String name = "file-" + tries++ % FILES;
    CompletableFuture<?> _ =
        node.core()
            .lookUp(Identity.root(), name, true)
            .thenCompose(found -> publish(found.number()))
            .thenAccept(published -> broken("P28", "a stranger published into " + name))
            .exceptionally(refused -> null);
  }

  private void begin(String instance) {
    ClientNode begun = new ClientNode(world(), CLIENT_NUMBER, instance, new SplittableRandom(SEED));
    world().add(begun);
    begun.start();
    CompletableFuture<?> _ = begun.core().start();
    node = begun;
  }

  private CompletableFuture<Names.Published> publish(long file) {
    if (node == null) throw new IllegalStateException("the stranger has not begun");
    Names.Publish nothing = new Names.Publish(file, false, false, List.of());
    return node.core().change(WHO, root -> nothing, Names.Published.class);
  }
}
