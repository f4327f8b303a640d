// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.tls;

/** The ways that the same bytes take, measured in turn. */
enum Way {
  BARE_PLAIN("bare socket"),
  BARE_ENGINE_HEAP("bare engine, heap"),
  BARE_ENGINE_DIRECT("bare engine, direct"),
  BARE_SSL_SOCKET("bare SSLSocket"),
  LINK_HEAP("link, heap"),
  LINK_DIRECT("link, direct"),
  RING_PLAIN("ring k=1"),
  RING_PLAIN_COPIED("ring k=2"),
  RING_TLS("TLS ring k=1"),
  RING_TLS_COPIED("TLS ring k=2");

  private final String title;

  Way(String title) {
    this.title = title;
  }

  String title() {
    return title;
  }
}
