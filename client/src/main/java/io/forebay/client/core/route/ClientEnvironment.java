// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.core.route;

import io.forebay.base.Timers;
import io.forebay.wire.Network;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/**
 * What a client does not own: its clock, its network and its randomness.
 *
 * @param warnings gets a sentence, at intervals, on what a slow operation waits for, and one if the
 *     cluster is insecure
 * @param proof how the manager knows its user
 */
public record ClientEnvironment(
    Timers timers,
    Network network,
    RandomGenerator random,
    Consumer<String> warnings,
    UserProof proof) {
  /** Of a client whose connections prove its user. */
  public ClientEnvironment(
      Timers timers, Network network, RandomGenerator random, Consumer<String> warnings) {
    this(timers, network, random, warnings, new UserProof.Claimed());
  }
}
