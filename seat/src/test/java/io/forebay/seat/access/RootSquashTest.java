// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.access;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.base.GroupId;
import io.forebay.wire.message.ClaimsUser;
import io.forebay.wire.message.Data;
import io.forebay.wire.message.Drains;
import io.forebay.wire.message.Identity;
import io.forebay.wire.message.Names;
import org.junit.jupiter.api.Test;

class RootSquashTest {
  private static final GroupId GROUP = new GroupId(1);

  private static ClaimsUser lookUp(Identity who) {
    Names.Lookup question = new Names.Lookup(Names.ROOT, "a", true);
    return new Names.Request(GROUP, 2, 3, 4, 5, 6, 7, 8, true, who, question);
  }

  private static ClaimsUser get(Identity who) {
    return new Data.GetBacked(GROUP, 2, 3, 4, 5, who, 6, 7, 8);
  }

  private static ClaimsUser check(Identity who) {
    return new Drains.CheckBacking("/scratch", who);
  }

  @Test
  void onlyTheUserChanges() {
    Identity root = Identity.root();
    Identity nobody = Identity.nobody();
    assertThat(RootSquash.squashed(lookUp(root))).isEqualTo(lookUp(nobody));
    assertThat(RootSquash.squashed(get(root))).isEqualTo(get(nobody));
    assertThat(RootSquash.squashed(check(root))).isEqualTo(check(nobody));
  }
}
