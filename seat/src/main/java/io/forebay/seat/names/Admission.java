// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.names;

import io.forebay.ring.Instance;

/** Why an instance does not admit a user, in words. Stateless. */
final class Admission {
  private Admission() {}

  static String refusal(Instance instance, int user) {
    String whom =
        switch (instance.tenancy().permit()) {
          case OWNER -> "its owner, user " + instance.owner();
          case GROUP -> "users of group " + instance.group();
          case EVERYONE -> "every user";
        };
    return "instance '%s' does not admit user %d, only %s".formatted(instance.name(), user, whom);
  }
}
