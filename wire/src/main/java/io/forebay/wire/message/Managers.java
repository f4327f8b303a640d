// SPDX-License-Identifier: Apache-2.0

package io.forebay.wire.message;

/** Changes of the managers of a cluster. Only the manager that leads makes them. */
public interface Managers {
  /** The most managers of a cluster. */
  int MANAGERS_MAX = 5;

  /** A request about the managers. */
  sealed interface Request extends Message {}

  /**
   * A manager that has just started asks to be one of the group. Answered with Done once it is, or
   * if it has been before. It takes the place of a manager of the same name, which has lost its
   * directory.
   *
   * @param incarnation of its directory
   * @param address where the other managers reach it
   * @param clientAddress where clients and seats reach it
   */
  record AddManager(String name, String incarnation, String address, String clientAddress)
      implements Request {}

  /** An operator removes a manager. Answered with Done once it is none any more. */
  record RemoveManager(String name) implements Request {}
}
