// SPDX-License-Identifier: Apache-2.0

package io.forebay.client;

import io.forebay.base.Bytes;
import io.forebay.base.proof.JobCredential;
import io.forebay.client.core.route.ClientConfig;
import io.forebay.client.core.route.TreeChoice;
import io.forebay.client.enrol.EnvironmentTls;
import io.forebay.client.host.HostName;
import io.forebay.client.host.LocalIdentity;
import io.forebay.client.host.LocalNode;
import io.forebay.client.host.TlsSource;
import io.forebay.client.job.Job;
import io.forebay.client.profile.ProfileFolder;
import io.forebay.wire.Address;
import io.forebay.wire.message.Identity;
import io.forebay.wire.tls.TlsSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How a client behaves. Start with {@link #defaults} and change what you need.
 *
 * @param pieceBytes the maximum size of a record; longer writes are cut
 * @param writeWindowBytes the maximum of bytes sent and not yet acknowledged; asynchronous writes
 *     wait when it is reached
 * @param readWindowBytes the maximum of bytes requested and not yet received
 * @param readAheadBytes the maximum of bytes fetched ahead of sequential reads; 0 turns read-ahead
 *     off
 * @param timeout an operation that has not succeeded within this time fails
 * @param answerTimeout after this time without an answer, a seat is asked again or skipped
 * @param sessionExpiry how long servers keep the unpublished writes of this client without hearing
 *     from it
 * @param identity the user and groups of all requests
 * @param node which host this is, see {@link HostName#identity}: seats of that host are nearest
 * @param warnings gets a sentence, at intervals, on what a slow operation waits for, and one if the
 *     cluster is insecure; by default they go to the log. Called by the client's own thread
 * @param tree which tree of the instance it uses, and of which node: see {@link LocalNode}
 * @param tls where its certificates are, and how it proves its user without one; by default the
 *     environment says it
 * @param jobCredential what {@code forebay job begin} printed, for the instance of that job; empty
 *     for none. By default the environment says it
 * @param profiles the folder that keeps what the program did with files, when the client is closed;
 *     by default the usual one if the environment has {@code FOREBAY_PROFILE=on}
 */
public record ForebayOptions(
    int pieceBytes,
    long writeWindowBytes,
    long readWindowBytes,
    long readAheadBytes,
    Duration timeout,
    Duration answerTimeout,
    Duration sessionExpiry,
    Identity identity,
    String node,
    Consumer<String> warnings,
    TreeChoice tree,
    TlsSource tls,
    String jobCredential,
    Optional<Path> profiles) {
  /** The environment has the credential of a job under this name. */
  public static final String JOB_CREDENTIAL = "FOREBAY_JOB_CREDENTIAL";

  private static final String PROFILE = "FOREBAY_PROFILE";

  private static final Logger LOG = LoggerFactory.getLogger(Forebay.class);

  public ForebayOptions {
    HostName.requireNode(node);
  }

  /** 1 MiB pieces, a window of 32 MiB, a timeout of 30 s, and the user of this process. */
  public static ForebayOptions defaults() {
    ClientConfig.Sizes sizes = ClientConfig.Sizes.DEFAULT;
    ClientConfig.Times times = ClientConfig.Times.DEFAULT;
    return new ForebayOptions(
        sizes.pieceBytes(),
        sizes.writeWindowBytes(),
        sizes.readWindowBytes(),
        sizes.readAheadBytes(),
        Duration.ofNanos(times.operationNanos()),
        Duration.ofNanos(times.answerNanos()),
        Duration.ofNanos(times.sessionNanos()),
        LocalIdentity.current(),
        HostName.identity(),
        LOG::warn,
        new TreeChoice(TreeChoice.Kind.USUAL, LocalNode.name()),
        EnvironmentTls.ofProcess(),
        System.getenv().getOrDefault(JOB_CREDENTIAL, ""),
        "on".equals(System.getenv(PROFILE))
            ? Optional.of(ProfileFolder.usual(System.getenv()).path())
            : Optional.empty());
  }

  /** Counts what the program does with files, and keeps it in a folder; empty for nothing. */
  public ForebayOptions withProfiles(Optional<Path> folder) {
    return new ForebayOptions(
        pieceBytes,
        writeWindowBytes,
        readWindowBytes,
        readAheadBytes,
        timeout,
        answerTimeout,
        sessionExpiry,
        identity,
        node,
        warnings,
        tree,
        tls,
        jobCredential,
        folder);
  }

  public ForebayOptions withPieceBytes(int bytes) {
    return new ForebayOptions(
        bytes,
        Math.max(writeWindowBytes, bytes),
        readWindowBytes,
        readAheadBytes,
        timeout,
        answerTimeout,
        sessionExpiry,
        identity,
        node,
        warnings,
        tree,
        tls,
        jobCredential,
        profiles);
  }

  public ForebayOptions withWindows(long writeBytes, long readBytes) {
    return new ForebayOptions(
        pieceBytes,
        writeBytes,
        readBytes,
        readAheadBytes,
        timeout,
        answerTimeout,
        sessionExpiry,
        identity,
        node,
        warnings,
        tree,
        tls,
        jobCredential,
        profiles);
  }

  public ForebayOptions withReadAheadBytes(long bytes) {
    return new ForebayOptions(
        pieceBytes,
        writeWindowBytes,
        readWindowBytes,
        bytes,
        timeout,
        answerTimeout,
        sessionExpiry,
        identity,
        node,
        warnings,
        tree,
        tls,
        jobCredential,
        profiles);
  }

  public ForebayOptions withTimeout(Duration longest) {
    return new ForebayOptions(
        pieceBytes,
        writeWindowBytes,
        readWindowBytes,
        readAheadBytes,
        longest,
        answerTimeout.compareTo(longest) < 0 ? answerTimeout : longest,
        sessionExpiry,
        identity,
        node,
        warnings,
        tree,
        tls,
        jobCredential,
        profiles);
  }

  public ForebayOptions withSessionExpiry(Duration expiry) {
    return new ForebayOptions(
        pieceBytes,
        writeWindowBytes,
        readWindowBytes,
        readAheadBytes,
        timeout,
        answerTimeout,
        expiry,
        identity,
        node,
        warnings,
        tree,
        tls,
        jobCredential,
        profiles);
  }

  public ForebayOptions withIdentity(Identity who) {
    return new ForebayOptions(
        pieceBytes,
        writeWindowBytes,
        readWindowBytes,
        readAheadBytes,
        timeout,
        answerTimeout,
        sessionExpiry,
        who,
        node,
        warnings,
        tree,
        tls,
        jobCredential,
        profiles);
  }

  /** As a client on another host, which is a node of its own. */
  public ForebayOptions withNode(String name) {
    return new ForebayOptions(
        pieceBytes,
        writeWindowBytes,
        readWindowBytes,
        readAheadBytes,
        timeout,
        answerTimeout,
        sessionExpiry,
        identity,
        name,
        warnings,
        new TreeChoice(tree.kind(), ""),
        tls,
        jobCredential,
        profiles);
  }

  /** With the tree of a node of that name, from this host; empty for the node that this host is. */
  public ForebayOptions withTreeOf(String name) {
    return withTree(new TreeChoice(tree.kind(), name));
  }

  /** The node whose tree it uses, where trees belong to nodes. */
  public String treeNode() {
    return tree.nodeOr(node);
  }

  /**
   * Whether it uses the private tree of its node, where the instance also has a tree for all. With
   * private access it always does; with shared access there is none, and connecting fails.
   */
  public ForebayOptions withPrivateTree(boolean whether) {
    return withTree(tree.withKind(whether ? TreeChoice.Kind.PRIVATE : TreeChoice.Kind.USUAL));
  }

  /** The same for all trees that an instance may have. */
  public ForebayOptions withTree(TreeChoice other) {
    return new ForebayOptions(
        pieceBytes,
        writeWindowBytes,
        readWindowBytes,
        readAheadBytes,
        timeout,
        answerTimeout,
        sessionExpiry,
        identity,
        node,
        warnings,
        other,
        tls,
        jobCredential,
        profiles);
  }

  public ForebayOptions withWarnings(Consumer<String> told) {
    return new ForebayOptions(
        pieceBytes,
        writeWindowBytes,
        readWindowBytes,
        readAheadBytes,
        timeout,
        answerTimeout,
        sessionExpiry,
        identity,
        node,
        told,
        tree,
        tls,
        jobCredential,
        profiles);
  }

  /**
   * The files with its certificates, instead of those that the environment names; null for
   * connections without TLS.
   */
  public ForebayOptions withTls(@Nullable TlsSettings files) {
    return withTlsSource(TlsSource.of(files));
  }

  /**
   * Where its certificates are and how it proves its user, instead of what the environment says.
   */
  public ForebayOptions withTlsSource(TlsSource source) {
    return new ForebayOptions(
        pieceBytes,
        writeWindowBytes,
        readWindowBytes,
        readAheadBytes,
        timeout,
        answerTimeout,
        sessionExpiry,
        identity,
        node,
        warnings,
        tree,
        source,
        jobCredential,
        profiles);
  }

  /** The credential of a job, for its instance. */
  public ForebayOptions withJobCredential(String text) {
    return new ForebayOptions(
        pieceBytes,
        writeWindowBytes,
        readWindowBytes,
        readAheadBytes,
        timeout,
        answerTimeout,
        sessionExpiry,
        identity,
        node,
        warnings,
        tree,
        tls,
        text,
        profiles);
  }

  ClientConfig config(List<Address> managers, String instance) throws IOException {
    return new ClientConfig(
        managers,
        instance,
        node,
        identity,
        new ClientConfig.Sizes(
            pieceBytes,
            writeWindowBytes,
            readWindowBytes,
            readAheadBytes,
            ClientConfig.Sizes.DEFAULT.roomBytes()),
        new ClientConfig.Times(timeout.toNanos(), answerTimeout.toNanos(), sessionExpiry.toNanos()),
        tree,
        secretFor(instance));
  }

  /** Only the instance of its own job gets the secret. */
  private Bytes secretFor(String instance) throws IOException {
    if (jobCredential.isBlank()) return Bytes.EMPTY;
    JobCredential credential = JobCredential.parse(jobCredential.strip());
    if (credential == null) {
      throw new IOException(
          JOB_CREDENTIAL + " is not what 'forebay job begin' printed; copy all of it, or unset it");
    }
    return Job.instanceOf(credential.token()).equals(instance) ? credential.secret() : Bytes.EMPTY;
  }
}
