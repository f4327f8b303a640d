// SPDX-License-Identifier: Apache-2.0

/**
 * The cost of encryption: a ring over TLS next to the same ring without, and to bare sockets of
 * Java with and without TLS. Each object belongs to one thread. Start reading at {@link
 * io.forebay.bench.tls.TlsBenchmark}.
 */
@NullMarked
package io.forebay.bench.tls;

import org.jspecify.annotations.NullMarked;
