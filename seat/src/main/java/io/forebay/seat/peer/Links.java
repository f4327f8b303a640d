// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.peer;

/** The connections of a seat: to other seats, and to the manager. */
public record Links(Peers peers, Questions questions, ManagerLink manager) {}
