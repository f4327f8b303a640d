// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.authority;

import io.forebay.wire.authority.CertificateName;
import java.util.List;

/**
 * The holder of a certificate on this machine.
 *
 * @param hosts the names and addresses by which others dial it
 */
public record Holder(CertificateName name, List<String> hosts) {
  public Holder {
    hosts = List.copyOf(hosts);
  }
}
