// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.nio;

import java.io.IOException;
import java.nio.file.attribute.GroupPrincipal;
import java.nio.file.attribute.UserPrincipal;
import java.nio.file.attribute.UserPrincipalLookupService;
import java.nio.file.attribute.UserPrincipalNotFoundException;

/** A user or a group: a number, the only part that is sent. */
sealed interface NumberPrincipal extends UserPrincipal {
  record User(int number) implements NumberPrincipal {
    @Override
    public String getName() {
      return Integer.toUnsignedString(number);
    }
  }

  record Group(int number) implements NumberPrincipal, GroupPrincipal {
    @Override
    public String getName() {
      return Integer.toUnsignedString(number);
    }
  }

  int number();

  /** Knows the names that are numbers, and root. */
  UserPrincipalLookupService LOOKUP =
      new UserPrincipalLookupService() {
        @Override
        public UserPrincipal lookupPrincipalByName(String name) throws IOException {
          return new User(numberOf(name));
        }

        @Override
        public GroupPrincipal lookupPrincipalByGroupName(String name) throws IOException {
          return new Group(numberOf(name));
        }
      };

  private static int numberOf(String name) throws UserPrincipalNotFoundException {
    if (name.equals("root")) return 0;
    try {
      return Integer.parseUnsignedInt(name);
    } catch (NumberFormatException e) {
      throw new UserPrincipalNotFoundException(name);
    }
  }

  /** The number of a principal, of this provider or of one whose names are numbers. */
  static int number(UserPrincipal principal) throws UserPrincipalNotFoundException {
    if (principal instanceof NumberPrincipal number) return number.number();
    return numberOf(principal.getName());
  }
}
