// SPDX-License-Identifier: Apache-2.0

/**
 * Commands about the cluster's own CA: tokens, and the certificates that it has issued. One thread.
 * Start reading at {@link io.forebay.cli.certificate.TokenCreateCommand}.
 */
@NullMarked
package io.forebay.cli.certificate;

import org.jspecify.annotations.NullMarked;
