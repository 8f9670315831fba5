package dev.postern.load.experiment.keepalive;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Objects;
import org.junit.jupiter.api.Test;

class VariantTest {
    @Test
    void differsInOneSettingFromTheGatewayWithDefaults() {
        assertThat(gateway(Variant.POSTERN)).isEqualTo(new Variant.Gateway("", ""));
        assertThat(gateway(Variant.WITHOUT)).isEqualTo(new Variant.Gateway("keep-alive: false, ", ""));
        assertThat(gateway(Variant.C1)).isEqualTo(new Variant.Gateway("", "-XX:TieredStopAtLevel=1"));
        assertThat(gateway(Variant.INTERPRETED).environment()).containsEntry("POSTERN_JAVA_OPTS", "-Xint");
    }

    @Test
    void hasEveryNameOnce() {
        assertThat(Variant.ALL)
                .extracting(Variant::name)
                .doesNotHaveDuplicates()
                .containsAll(Variant.PROXIES);
    }

    private static Variant.Gateway gateway(String name) {
        return Objects.requireNonNull(Variant.ALL.stream()
                .filter(variant -> variant.name().equals(name))
                .findFirst()
                .orElseThrow()
                .gateway());
    }
}
