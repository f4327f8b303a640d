// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.access;

import io.forebay.wire.message.ClaimsUser;
import io.forebay.wire.message.Data;
import io.forebay.wire.message.Drains;
import io.forebay.wire.message.Identity;
import io.forebay.wire.message.Names;

/** Requests of root of a client machine, as requests of a user without rights. Stateless. */
final class RootSquash {
  private RootSquash() {}

  /** The same request of that user. */
  static ClaimsUser squashed(ClaimsUser request) {
    Identity nobody = Identity.nobody();
    return switch (request) {
      case Names.Request names ->
          new Names.Request(
              names.group(),
              names.epoch(),
              names.instance(),
              names.tree(),
              names.session(),
              names.op(),
              names.doneBelow(),
              names.settledBelow(),
              names.openTold(),
              nobody,
              names.what());
      case Data.GetBacked get ->
          new Data.GetBacked(
              get.treeGroup(),
              get.epoch(),
              get.instance(),
              get.tree(),
              get.session(),
              nobody,
              get.file(),
              get.offset(),
              get.lengthBytes());
      case Drains.CheckBacking check -> new Drains.CheckBacking(check.address(), nobody);
      // Seats take no other requests on behalf of users.
      default -> request;
    };
  }
}
