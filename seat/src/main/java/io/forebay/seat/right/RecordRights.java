// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.right;

import io.forebay.base.FileId;
import io.forebay.base.RecordId;
import io.forebay.base.proof.ContentKey;
import io.forebay.base.rule.Rule;
import io.forebay.wire.Limit;
import io.forebay.wire.LimitCounts;
import io.forebay.wire.message.Names;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Whether clients may read and write the records that they name (P28). Ids can be guessed, so a
 * client shows a number derived from a secret:
 *
 * <ol>
 *   <li>A client that knows the secret of a session may write and read the records of that session.
 *   <li>All other clients show the proof of the record's file, which the home of the tree sends
 *       with the ids of its records. The proof is derived from the tree's key and the file.
 *   <li>A seat that does not recognize a proof asks the home for the key, once for all waiting
 *       requests: it may not have the key yet, or the tree has been begun again.
 * </ol>
 *
 * Called by the seat's loop.
 */
public final class RecordRights {
  /** The maximum number of requests that wait for keys; more are told to retry. */
  static final int WAITING_MAX = Math.toIntExact(Limit.KEY_REQUESTS.value());

  /** The maximum number of cached proofs and keys. */
  static final int FILES_MAX = 64 * 1024;

  static final int TREES_MAX = 4096;

  /** The result of checking a proof. */
  public enum Verdict {
    ALLOWED,
    DENIED,
    /** The home of the tree does not answer. */
    NOT_NOW
  }

  /** Gets the result once. */
  public interface Decided {
    void decided(Verdict verdict);
  }

  /** Gets the key of a tree, or null if it is unavailable now. */
  interface KeyTold {
    void told(@Nullable ContentKey key);
  }

  /** Asks for keys. */
  interface KeySource {
    void ask(int instance, int tree, KeyTold told);
  }

  private record TreeId(int instance, int tree) {
    static TreeId of(FileId file) {
      return new TreeId(file.instance(), Names.treeOf(file.number()));
    }
  }

  private record Waiting(FileId file, long proof, Decided decided) {}

  private final KeySource source;
  private final LimitCounts limits;
  private final ProvenSessions sessions = new ProvenSessions();
  private final Map<TreeId, ContentKey> keys = new Latest<>(TREES_MAX);
  private final Map<FileId, Long> proofs = new Latest<>(FILES_MAX);

  /** The requests that wait for the key of a tree. */
  private final Map<TreeId, List<Waiting>> waiting = new LinkedHashMap<>();

  private int waitingCount;

  public RecordRights(KeySource source, LimitCounts limits) {
    this.source = source;
    this.limits = limits;
  }

  /** Only a client that proves its session may write a record under an id of that session (P28). */
  @Rule("P28")
  public boolean mayPut(RecordId record, long secret) {
    return sessions.isSecretOf(secret, record.session());
  }

  /** Whether a client may read a record; decided at once unless the key must be fetched. */
  public void mayGet(RecordId record, FileId file, long proof, Decided decided) {
    if (isProven(record, file, proof)) {
      decided.decided(Verdict.ALLOWED);
    } else if (waitingCount >= WAITING_MAX) {
      limits.reached(Limit.KEY_REQUESTS);
      decided.decided(Verdict.NOT_NOW);
    } else {
      await(TreeId.of(file), new Waiting(file, proof, decided));
    }
  }

  /** Only a client that proves its right to the file, or its session, may read a record (P28). */
  @Rule("P28")
  private boolean isProven(RecordId record, FileId file, long proof) {
    return isProofOf(file, proof) || sessions.isSecretOf(proof, record.session());
  }

  private boolean isProofOf(FileId file, long proof) {
    Long known = proofs.get(file);
    if (known == null) {
      ContentKey key = keys.get(TreeId.of(file));
      if (key == null) return false;
      known = key.proofOf(file);
      proofs.put(file, known);
    }
    return known == proof;
  }

  private void await(TreeId tree, Waiting request) {
    waitingCount++;
    List<Waiting> others = waiting.get(tree);
    if (others != null) {
      others.add(request);
      return;
    }
    waiting.put(tree, new ArrayList<>(List.of(request)));
    source.ask(tree.instance, tree.tree, key -> told(tree, key));
  }

  private void told(TreeId tree, @Nullable ContentKey key) {
    if (key != null && !key.equals(keys.put(tree, key))) proofs.clear();
    List<Waiting> answered = waiting.remove(tree);
    if (answered == null) return;
    waitingCount -= answered.size();
    for (Waiting each : answered) each.decided.decided(verdict(key, each));
  }

  private Verdict verdict(@Nullable ContentKey key, Waiting request) {
    if (key == null) return Verdict.NOT_NOW;
    return isProofOf(request.file, request.proof) ? Verdict.ALLOWED : Verdict.DENIED;
  }

  /** Evicts the least recently used entry. */
  private static final class Latest<K, V> extends LinkedHashMap<K, V> {
    private static final long serialVersionUID = 1;
    private static final float LOAD_FACTOR = 0.75f;

    private final int entriesMax;

    Latest(int entriesMax) {
      super(16, LOAD_FACTOR, true);
      this.entriesMax = entriesMax;
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
      return size() > entriesMax;
    }
  }
}
