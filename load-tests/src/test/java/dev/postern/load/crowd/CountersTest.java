package dev.postern.load.crowd;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CountersTest {
    @Test
    void excludeRequestsWithoutADecision() {
        Register register = new Register(1_000_000, 2);
        register.served(new Register.Visit("a", "", "/first", false, 100, 110));
        register.served(new Register.Visit("a", "a/1", "/1", true, 200, 210));
        register.served(new Register.Visit("a", "a/1", "/1/1", true, 300, 310));
        assertThat(register.counters()).isEqualTo(new Counters(2, 1, 0));
    }
}
