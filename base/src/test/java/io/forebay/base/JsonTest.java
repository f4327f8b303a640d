// SPDX-License-Identifier: Apache-2.0

package io.forebay.base;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JsonTest {
  @Test
  void writesNestedValues() {
    Map<String, Object> value = new LinkedHashMap<>();
    value.put("name", "a \"b\" \\ \n \u0001 é");
    value.put("list", Arrays.asList(1, 2.5, true, null));
    value.put("empty", Map.of());
    assertThat(Json.write(value))
        .isEqualTo(
            "{\"name\":\"a \\\"b\\\" \\\\ \\n \\u0001 é\",\"list\":[1,2.5,true,null],\"empty\":{}}");
  }

  @Test
  void refusesWhatJsonHasNot() {
    assertThatThrownBy(() -> Json.write(Double.NaN)).hasMessage("JSON has no number NaN");
    assertThatThrownBy(() -> Json.write(new Object())).hasMessageStartingWith("not for JSON");
  }
}
