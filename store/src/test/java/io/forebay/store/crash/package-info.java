// SPDX-License-Identifier: Apache-2.0

/**
 * Crash proofs with real processes and a real file system: a {@link
 * io.forebay.store.crash.Workload} in a process of its own tells a ledger over a pipe, is killed,
 * and what its log holds is compared with the ledger. Start reading at {@code ProcessKillTest}.
 */
package io.forebay.store.crash;
