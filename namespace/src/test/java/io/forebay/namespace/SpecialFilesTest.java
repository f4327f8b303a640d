// SPDX-License-Identifier: Apache-2.0

package io.forebay.namespace;

import static io.forebay.namespace.TestGroup.ROOT;
import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Identity;
import io.forebay.wire.message.Names;
import java.util.List;
import org.junit.jupiter.api.Test;

/** FIFOs, sockets and devices: names without content. */
class SpecialFilesTest {
  private final TestGroup group = TestGroup.begun(100_000);

  private static Names.MakeNode make(String path, Names.Kind kind, long device) {
    return new Names.MakeNode(ROOT, path, kind, 0640, device);
  }

  @Test
  void theyHaveAKindAModeAndADevice() {
    group.change(make("p", Names.Kind.FIFO, 77));
    group.change(make("s", Names.Kind.SOCKET, 0));
    group.change(make("c", Names.Kind.CHARACTER_DEVICE, 0x105));
    group.change(make("b", Names.Kind.BLOCK_DEVICE, Names.DEVICE_MAX));
    assertThat(group.stat("p").kind()).isEqualTo(Names.Kind.FIFO);
    assertThat(group.stat("p").device()).as("means nothing to a FIFO").isZero();
    assertThat(group.stat("p").mode()).isEqualTo(0640);
    assertThat(group.stat("s").kind()).isEqualTo(Names.Kind.SOCKET);
    assertThat(group.stat("c").device()).isEqualTo(0x105);
    assertThat(group.stat("b").device()).isEqualTo(Names.DEVICE_MAX);
    assertThat(group.tryChange(make("p", Names.Kind.FIFO, 0))).isEqualTo(ErrorCode.EXISTS);
  }

  @Test
  void theyAreLinkedMovedReplacedAndRemoved() {
    group.change(make("p", Names.Kind.FIFO, 0));
    long number = group.stat("p").number();
    group.change(new Names.MakeLink(ROOT, "p", ROOT, "q"));
    assertThat(group.stat("q").links()).isEqualTo(2);
    group.change(new Names.Rename(ROOT, "p", ROOT, "r", false, false));
    group.change(new Names.Unlink(ROOT, "r"));
    assertThat(group.stat("q").number()).isEqualTo(number);
    group.create("f");
    group.change(new Names.Rename(ROOT, "f", ROOT, "q", false, false));
    assertThat(group.stat("q").kind()).isEqualTo(Names.Kind.FILE);
    assertThat(group.tryAsk(new Names.Lookup(number, "", false))).isEqualTo(ErrorCode.STALE_HANDLE);
  }

  @Test
  void onlyRootMakesDevices() {
    group.change(new Names.SetAttributes(ROOT, "", true, 0777, -1, -1, -1, -1, -1));
    group.who = new Identity(7, List.of(8));
    assertThat(group.tryChange(make("c", Names.Kind.CHARACTER_DEVICE, 1)))
        .isEqualTo(ErrorCode.NOT_PERMITTED);
    assertThat(group.tryChange(make("b", Names.Kind.BLOCK_DEVICE, 1)))
        .isEqualTo(ErrorCode.NOT_PERMITTED);
    assertThat(group.tryChange(make("p", Names.Kind.FIFO, 0))).isEqualTo(ErrorCode.NONE);
    assertThat(group.stat("p").user()).isEqualTo(7);
  }

  @Test
  void thereIsNothingInThem() {
    group.change(make("p", Names.Kind.FIFO, 0));
    long number = group.stat("p").number();
    Names.Open open = new Names.Open(ROOT, "p", true, true, false, false, false, 0);
    assertThat(group.tryChange(open)).isEqualTo(ErrorCode.INVALID);
    assertThat(group.tryChange(new Names.Allocate(number, 0, 5, false)))
        .isEqualTo(ErrorCode.INVALID);
    assertThat(group.tryChange(new Names.SetAttributes(ROOT, "p", true, -1, -1, -1, 5, -1, -1)))
        .isEqualTo(ErrorCode.INVALID);
    assertThat(group.tryChange(make("x", Names.Kind.FILE, 0))).isEqualTo(ErrorCode.INVALID);
    assertThat(group.tryChange(make("x", Names.Kind.BLOCK_DEVICE, -1)))
        .isEqualTo(ErrorCode.INVALID);
  }
}
