// SPDX-License-Identifier: Apache-2.0

package io.forebay.client;

import io.forebay.client.fake.FakeServer;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A test with a client that is connected to a fake ring of its own. */
abstract class ConnectedTest {
  private final int seats;
  private final int copies;
  FakeServer server;
  Forebay client;

  ConnectedTest(int seats, int copies) {
    this.seats = seats;
    this.copies = copies;
  }

  @BeforeEach
  final void connect() throws IOException {
    server = new FakeServer(seats, copies, 0);
    client = Forebay.connect(server.uri());
  }

  @AfterEach
  final void disconnect() throws IOException {
    client.close();
    server.close();
  }
}
