// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.manager.state;

import io.forebay.base.Bytes;
import io.forebay.base.fields.MalformedFields;
import io.forebay.testing.fuzz.AllocationBound;
import io.forebay.testing.fuzz.FuzzRun;
import io.forebay.wire.message.Identity;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Any bytes are what the manager's log has, or malformed. The first byte of an input says what the
 * rest is: a command, or a snapshot of the state.
 */
class ManagerFuzzTargetTest {
  private static final int COMMAND = 0;
  private static final int SNAPSHOT = 1;
  private static final int KINDS = 2;
  private static final int CHANGED = 8_000;
  private static final AllocationBound BOUND = new AllocationBound(512 * 1024, 500);

  @Test
  void anyBytesAreReadOrMalformed() {
    ManagerState state = new ManagerState();
    List<Command> commands =
        List.of(
            new Command.BeginTerm(1, 9),
            new Command.FormRing(Offers.arrivals(3, 1), 2),
            new Command.SeatReturned(Offers.arrival(1, 1, 2)),
            ManagerStateTest.create("a", 2),
            new Command.DestroyInstance(1, 1, Identity.ROOT));
    List<byte[]> valid = new ArrayList<>();
    for (Command command : commands) {
      state.apply(command);
      valid.add(input(COMMAND, command.encode()));
      valid.add(input(SNAPSHOT, state.snapshot()));
    }
    new FuzzRun(ManagerFuzzTargetTest.class, "manager", valid)
        .play(ManagerFuzzTargetTest::fuzzerTestOneInput, CHANGED);
  }

  private static byte[] input(int kind, Bytes bytes) {
    return ByteBuffer.allocate(1 + bytes.length()).put((byte) kind).put(bytes.asBuffer()).array();
  }

  /** Called by Jazzer. */
  public static void fuzzerTestOneInput(byte[] input) {
    if (input.length == 0) return;
    Bytes rest = Bytes.copyOf(Arrays.copyOfRange(input, 1, input.length));
    BOUND.check(
        input.length,
        () -> {
          try {
            read((input[0] & 0xff) % KINDS, rest);
          } catch (MalformedFields refused) {
            if (refused.getMessage() == null) throw new AssertionError("no reason", refused);
          }
        });
  }

  private static void read(int kind, Bytes bytes) throws MalformedFields {
    if (kind == COMMAND) {
      Command command = Command.decode(bytes);
      if (!command.encode().equals(bytes)) throw new AssertionError("written otherwise");
    } else {
      ManagerState state = new ManagerState();
      state.restore(bytes);
      // What is there twice counts once.
      Bytes written = state.snapshot();
      if (written.length() > bytes.length()) throw new AssertionError("longer than it was read");
      ManagerState again = new ManagerState();
      again.restore(written);
      if (!again.snapshot().equals(written)) throw new AssertionError("written otherwise");
    }
  }
}
