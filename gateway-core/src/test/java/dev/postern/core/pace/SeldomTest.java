package dev.postern.core.pace;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class SeldomTest {

    @Test
    void letsOneASecondThrough() {
        AtomicLong clock = new AtomicLong(-5);
        Seldom seldom = new Seldom(clock::get);
        assertThat(seldom.now()).isTrue();
        assertThat(seldom.now()).isFalse();
        clock.addAndGet(999_999_999);
        assertThat(seldom.now()).isFalse();
        clock.addAndGet(1);
        assertThat(seldom.now()).isTrue();
        assertThat(seldom.now()).isFalse();
        clock.addAndGet(60_000_000_000L);
        assertThat(seldom.now()).isTrue(); // a long pause saves nothing up
        assertThat(seldom.now()).isFalse();
    }
}
