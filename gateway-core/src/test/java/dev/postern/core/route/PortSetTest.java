package dev.postern.core.route;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class PortSetTest {

    @Test
    void containsItsRangesWithBothEnds() {
        PortSet ports = PortSet.of(List.of("443", " 1024 - 1026 "));
        assertThat(List.of(442, 443, 444, 1023, 1024, 1025, 1026, 1027).stream().filter(ports::contains))
                .containsExactly(443, 1024, 1025, 1026);
    }

    @Test
    void containsAmplifyingServicesOnlyByTheirOwnNumber() {
        PortSet all = PortSet.ofUdp(List.of("1-65535"));
        for (int port : List.of(19, 53, 123, 161, 389, 1900, 11211)) {
            assertThat(all.contains(port)).as("%s", port).isFalse();
            assertThat(PortSet.ofUdp(List.of("1-65535", Integer.toString(port))).contains(port))
                    .isTrue();
            assertThat(PortSet.ofUdp(List.of(port + "-" + port)).contains(port)).isTrue();
        }
        assertThat(all.contains(443)).isTrue();
        assertThat(all.contains(51820)).isTrue();
        assertThat(PortSet.of(List.of("1-65535")).contains(53)).isTrue();
    }

    @Test
    void isEmptyWithoutRanges() {
        assertThat(PortSet.ofUdp(List.of()).contains(443)).isFalse();
    }
}
