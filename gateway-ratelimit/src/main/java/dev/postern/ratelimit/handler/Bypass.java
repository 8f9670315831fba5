package dev.postern.ratelimit.handler;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.http.FieldName;
import dev.postern.core.http.PathRules;
import dev.postern.core.http.RequestHead;
import dev.postern.core.net.CidrSet;
import dev.postern.ratelimit.store.FairQueueSettings;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Bypass for exchanges that never wait.
 *
 * @param paths path prefixes of whole segments
 */
record Bypass(CidrSet addresses, List<String> paths, List<Crawler> crawlers) {

    /**
     * Crawler that is verified by the DNS name of its address.
     *
     * @param word part of its User-Agent, in lower case
     * @param domains domains of its owner, in lower case
     */
    record Crawler(String word, List<String> domains) {}

    static Bypass of(FairQueueSettings settings) {
        List<String> bypass = settings.bypass();
        return new Bypass(
                CidrSet.of(bypass.stream().filter(one -> !one.startsWith("/")).toList()),
                bypass.stream().filter(one -> one.startsWith("/")).toList(),
                settings.crawlers().entrySet().stream()
                        .map(named -> new Crawler(named.getKey().toLowerCase(Locale.ROOT), named.getValue()))
                        .toList());
    }

    /** Whether an exchange is covered by its address or by its path; some: by a part of the readings of its path. */
    enum Cover {
        ALL,
        SOME,
        NONE
    }

    /** Returns whether the address or the path of the exchange, in every reading that an upstream may use, never waits. */
    Cover cover(Exchange exchange) {
        if (addresses.contains(exchange.clientAddress())) {
            return Cover.ALL;
        }
        return paths.isEmpty() ? Cover.NONE : cover(exchange.request());
    }

    private Cover cover(RequestHead request) {
        boolean covered = covers(request.path());
        boolean differs = request.otherReadings().stream().anyMatch(other -> covers(other) != covered);
        return differs ? Cover.SOME : covered ? Cover.ALL : Cover.NONE;
    }

    private boolean covers(String path) {
        return paths.stream().anyMatch(prefix -> PathRules.covers(prefix, path));
    }

    /** Returns the crawler that the User-Agent names, without verification; null for none. */
    @Nullable
    Crawler crawler(Exchange exchange) {
        if (crawlers.isEmpty()) {
            return null;
        }
        String agent = exchange.request().value(FieldName.USER_AGENT);
        String lowerCase = agent == null ? "" : agent.toLowerCase(Locale.ROOT);
        for (Crawler crawler : crawlers) {
            if (lowerCase.contains(crawler.word())) {
                return crawler;
            }
        }
        return null;
    }
}
