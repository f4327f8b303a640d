// SPDX-License-Identifier: Apache-2.0

/**
 * TLS 1.3 between a connection and its socket, and the certificates for it. It touches the machine:
 * files with keys, the JDK's TLS engine and its wall clock. Links belong to one loop's thread;
 * {@link io.forebay.wire.tls.TlsFiles} may be shared by the loops of a process. Start reading at
 * {@link io.forebay.wire.tls.Link}.
 */
@NullMarked
package io.forebay.wire.tls;

import org.jspecify.annotations.NullMarked;
