// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.manager.access;

import io.forebay.seat.manager.certificate.Signer;
import io.forebay.wire.proof.Trust;
import java.util.random.RandomGenerator;

/**
 * How a manager decides what its callers may do.
 *
 * @param trust what it believes of the other ends of its connections
 * @param secrets draws keys; its output must not be predictable
 * @param signer the cluster's own CA
 * @param users the users and groups of its machine
 * @param credentials checks the credentials that prove users
 */
public record Admission(
    Trust trust,
    RandomGenerator secrets,
    Signer signer,
    UserDirectory users,
    CredentialCheck credentials) {
  /** Takes no credentials, and gives users the groups that were proved. */
  public Admission(Trust trust, RandomGenerator secrets, Signer signer) {
    this(trust, secrets, signer, UserDirectory.PROVED, CredentialCheck.NONE);
  }
}
