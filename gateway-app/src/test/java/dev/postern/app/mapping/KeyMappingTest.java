package dev.postern.app.mapping;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.util.internal.PlatformDependent;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A value in the configuration reaches the settings of a module, and no others. */
class KeyMappingTest {

    @ParameterizedTest(name = "{0} = {1}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    listeners[].trusted-fields                 | [x-forwarded-prefix]   | [x-forwarded-prefix]
                    listeners[].proxy-protocol                 | required               | true
                    limits.request-head                        | 32KiB                  | 32768
                    limits.max-fields                          | 30                     | 30
                    limits.max-connection-options              | 2                      | 2
                    limits.request-body                        | 10B                    | 10
                    limits.discard-body                        | 1MiB                   | 1048576
                    limits.min-body-rate                       | 1KiB/s                 | 1024
                    limits.head-timeout                        | 3s                     | PT3S
                    limits.body-idle-timeout                   | 4s                     | PT4S
                    limits.keep-alive-timeout                  | 70s                    | PT1M10S
                    limits.write-idle-timeout                  | 200ms                  | PT0.2S
                    limits.pipeline-depth                      | 2                      | 2
                    http2.max-streams                          | 7                      | 7
                    http2.max-continuations                    | 1                      | 1
                    http2.window-timeout                       | 200ms                  | PT0.2S
                    http2.max-stream-errors                    | 2/h                    | 2/h
                    http2.max-control-frames                   | 2/h                    | 2/h
                    log.successes                              | 50%                    | 0.5
                    log.slow                                   | 3s                     | PT3S
                    log.refusal-rate                           | 0                      | 0
                    log.format                                 | json                   | JSON
                    log.exchanges.max-size                     | 2MiB                   | 2097152
                    log.exchanges.keep                         | 3                      | 3
                    log.client-address                         | off                    | OFF
                    log.destination                            | on                     | ON
                    overload.direct-memory.resume-below        | 10%                    | 0.1
                    overload.loop-lag.resume-below             | 1ms                    | PT0.001S
                    privacy-pass.origin-names                  | [a.example, b.example] | [a.example, b.example]
                    privacy-pass.token-header                  | x-token                | x-token
                    privacy-pass.challenge-window              | 20m                    | PT20M
                    privacy-pass.clock-skew                    | 5s                     | PT5S
                    privacy-pass.grease                        | true                   | true
                    privacy-pass.failure-budget                | 0                      | 0
                    privacy-pass.session.lifetime              | 4s                     | PT4S
                    privacy-pass.session.bind                  | [address]              | [ADDRESS]
                    privacy-pass.session.rate                  | 3/h                    | 3/h
                    privacy-pass.issuers[].key-grace           | 1h                     | PT1H
                    rate-limits[].rate                         | 10/m                   | 10/m
                    rate-limits[].burst                        | 3                      | 3
                    rate-limits[].per                          | client-address         | CLIENT_ADDRESS
                    rate-limits[].fair-queue.room-per          | host                   | HOST
                    rate-limits[].fair-queue.per-session-rate  | 1/m                    | 1/m
                    rate-limits[].fair-queue.per-session-rate  | 0/s                    | 0
                    rate-limits[].fair-queue.pass              | 1m                     | PT1M
                    rate-limits[].fair-queue.idle              | 1s                     | PT1S
                    rate-limits[].fair-queue.absence           | 3s                     | PT3S
                    rate-limits[].fair-queue.keep              | 7m                     | PT7M
                    rate-limits[].fair-queue.max-waiting       | 1                      | 1
                    rate-limits[].fair-queue.tickets-per-address | 20%                  | 0.2
                    rate-limits[].missing                      | refuse                 | REFUSE
                    rate-limits[].fair-queue.waiting-status    | 202                    | 202
                    rate-limits[].fair-queue.bind              | [address]              | [ADDRESS]
                    rate-limits[].fair-queue.page.languages    | fr, es                 | fr, es
                    upstreams[].balance                        | round-robin            | ROUND_ROBIN
                    upstreams[].timeouts.connect               | 4s                     | PT4S
                    upstreams[].timeouts.first-byte            | 7s                     | PT7S
                    upstreams[].timeouts.idle                  | 8s                     | PT8S
                    upstreams[].pool.max-connections           | 7                      | 7
                    upstreams[].pool.max-pending               | 7                      | 7
                    upstreams[].pool.learn-idle                | false                  | false
                    upstreams[].pool.keep-alive                | false                  | false
                    upstreams[].pool.idle                      | 9s                     | PT9S
                    upstreams[].pool.max-lifetime              | 7m                     | PT7M
                    upstreams[].pool.requests                  | 2                      | 2
                    upstreams[].pool.max-share                 | 100%                   | 1.0
                    upstreams[].expect                         | answer                 | ANSWER
                    upstreams[].retry.budget                   | 0%                     | 0.0
                    upstreams[].health.failures                | 0                      | 0
                    upstreams[].health.panic                   | 100%                   | 1.0
                    routes[].preflight                         | refuse                 | REFUSE
                    routes[].rate-limit                        | site                   | site
                    routes[].timeout                           | 7s                     | PT7S
                    routes[].request-body                      | 1KiB                   | 1024
                    routes[].min-body-rate                     | 2KiB/s                 | 2048
                    routes[].challenge.origin-names            | [c.example, d.example] | c.example,d.example
                    routes[].challenge.context                 | prefix                 | PREFIX
                    forward.<name>.rate-limit                  | site                   | site
                    forward.<name>.udp.queue                   | 16KiB                  | 16384
                    tracing.sample                             | 50%                    | 0.5
                    transport.nat64-prefixes                   | ["2001:db8:64::/96"]   | 192.0.2.1/32
                    """)
    void settingsHaveTheConfiguredValue(String key, String value, String expected) {
        Map<String, String> changed = changed(key.replace("[]", ".0").replace("<name>", "default") + "=" + value);

        assertThat(changed.values()).containsOnly(expected);
        assertThat(changed.keySet()).anyMatch(path -> path.endsWith("." + MappedSettings.component(key)));
    }

    private static Map<String, String> changed(String setting) {
        Map<String, String> changed = new LinkedHashMap<>(MappedSettings.of(setting));
        changed.entrySet().removeAll(MappedSettings.of().entrySet());
        return changed;
    }

    @Test
    void bypassHasAddressesAndPaths() {
        assertThat(changed("rate-limits.site.fair-queue.bypass=[/health, 127.0.0.0/8]")
                        .values())
                .containsExactly("[/health, 127.0.0.0/8]");
    }

    @Test
    void outboundBuffersAreAShareOfDirectMemory() {
        assertThat(changed("overload.outbound-buffers=50%"))
                .containsValue(Long.toString(PlatformDependent.maxDirectMemory() / 2));
    }
}
