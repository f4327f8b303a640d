// SPDX-License-Identifier: Apache-2.0

package io.forebay.mount;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class MountOptionsTest {
  private static MountSettings parse(String options) {
    return new MountOptions().addAll(options).settings();
  }

  @Test
  void nothingSaidIsThroughThePageCacheAsWhoAsks() {
    MountSettings usual = parse("");
    assertThat(usual).isEqualTo(MountSettings.defaults());
    assertThat(usual.cache()).isEqualTo(CacheMode.AUTO);
    assertThat(usual.timeout()).isEqualTo(Duration.ofSeconds(30));
    assertThat(usual.user()).isEmpty();
  }

  @Test
  void optionsOfALineInFstab() {
    MountSettings settings =
        parse(
            "_netdev,noauto,x-systemd.automount,x-a=b,nosuid,nodev,noatime,ro,allow_other,uid=7,gid=8,"
                + "cache=writeback,timeout=5,nonempty,noxattr,private,node=n7");
    assertThat(settings.options()).containsExactly("nosuid", "nodev", "noatime");
    assertThat(settings.readOnly()).isTrue();
    assertThat(settings.allowOther()).isTrue();
    assertThat(settings.user()).isEqualTo(OptionalInt.of(7));
    assertThat(settings.group()).isEqualTo(OptionalInt.of(8));
    assertThat(settings.cache()).isEqualTo(CacheMode.WRITEBACK);
    assertThat(settings.timeout()).isEqualTo(Duration.ofSeconds(5));
    assertThat(settings.evenIfFull()).isTrue();
    assertThat(settings.extras()).isFalse();
    assertThat(settings.node()).isEqualTo("n7");
    assertThat(settings.privateTree()).isTrue();
  }

  @Test
  void theLastOneCounts() {
    assertThat(parse("ro,cache=none,rw,cache=auto").readOnly()).isFalse();
    assertThat(parse("cache=none,cache=auto").cache()).isEqualTo(CacheMode.AUTO);
  }

  @Test
  void whatCannotBeIsNamed() {
    assertThatThrownBy(() -> parse("ro,loop")).hasMessageContaining("'-o loop' is unknown");
    assertThatThrownBy(() -> parse("cache=much"))
        .hasMessageContaining("'much'")
        .hasMessageContaining("none, auto or writeback");
    assertThatThrownBy(() -> parse("node=@shared"))
        .hasMessageContaining("'@shared' is no name of a node");
    assertThatThrownBy(() -> parse("uid=root")).hasMessageContaining("uid must be a number");
    assertThatThrownBy(() -> parse("gid=-1")).hasMessageContaining("gid must not be negative");
    assertThatThrownBy(() -> new MountOptions().user(-5))
        .hasMessageContaining("uid must not be negative, and is '-5'");
    assertThatThrownBy(() -> parse("timeout=0")).hasMessageContaining("timeout must be from 1");
    assertThatThrownBy(() -> parse("node=")).hasMessageContaining("the name of a node");
    assertThatThrownBy(() -> parse("size=1")).hasMessageContaining("'-o size=1' is unknown");
  }
}
