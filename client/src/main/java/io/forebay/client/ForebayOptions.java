// SPDX-License-Identifier: Apache-2.0

package io.forebay.client;

import io.forebay.client.core.route.ClientConfig;
import io.forebay.client.host.HostName;
import io.forebay.client.host.LocalIdentity;
import io.forebay.wire.Address;
import io.forebay.wire.message.Identity;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How a client behaves; begin with {@link #defaults} and change what matters.
 *
 * @param pieceBytes a write is cut into records of at most so many bytes
 * @param writeWindowBytes sent and not yet acknowledged at most; writes that return at once wait
 *     when so much is under way
 * @param readWindowBytes asked for and not yet arrived at most
 * @param readAheadBytes for what is fetched ahead of those who read in order, at most; 0 for who
 *     reads ahead himself
 * @param timeout an operation that has not succeeded by then fails
 * @param answerTimeout a seat that says nothing for so long is asked again or passed over
 * @param sessionExpiry how long servers keep what this client wrote and did not publish when they
 *     hear nothing of it
 * @param identity on whose behalf things are done
 * @param node which host this is: see {@link HostName#identity}
 * @param warnings told in a sentence, now and then, what an operation waits for that takes long;
 *     the usual ones go to the log. Called by the client's own thread
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
    Consumer<String> warnings) {
  private static final Logger LOG = LoggerFactory.getLogger(Forebay.class);

  /** One MiB pieces, 32 MiB under way, 30 s, and whoever runs this process. */
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
        LOG::warn);
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
        warnings);
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
        warnings);
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
        warnings);
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
        warnings);
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
        warnings);
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
        warnings);
  }

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
        warnings);
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
        told);
  }

  ClientConfig config(List<Address> managers, String instance) {
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
        new ClientConfig.Times(
            timeout.toNanos(), answerTimeout.toNanos(), sessionExpiry.toNanos()));
  }
}
