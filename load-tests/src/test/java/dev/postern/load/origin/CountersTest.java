package dev.postern.load.origin;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CountersTest {
    @Test
    void surviveARoundTrip() {
        Counters counters = new Counters(5064, 58, 2);
        String json = OriginWorker.JSON.writeValueAsString(counters);
        assertThat(OriginWorker.JSON.readValue(json, Counters.class)).isEqualTo(counters);
    }

    @Test
    void excludeRequestsWithoutADecision() {
        Register register = new Register(1_000_000, 2);
        register.served(new Register.Visit("a", "", "/first", false, 100, 110));
        register.served(new Register.Visit("a", "a/1", "/1", true, 200, 210));
        register.served(new Register.Visit("a", "a/1", "/1/1", true, 300, 310));
        assertThat(register.counters()).isEqualTo(new Counters(2, 1, 0));
    }
}
