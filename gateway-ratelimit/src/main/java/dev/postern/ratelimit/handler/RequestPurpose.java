package dev.postern.ratelimit.handler;

import dev.postern.core.http.FieldName;
import dev.postern.core.http.RequestHead;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Purpose of a request: whether a visitor waits for its response. A request that names another purpose gets less than others, so a client
 * gains nothing by naming one that it does not have.
 */
enum RequestPurpose {
    /** A visitor wants the response now. */
    USE("use"),
    /** A browser loads what a visitor may want later: prefetch, prerender or preview. */
    PREFETCH("prefetch"),
    /** A program loads a page for the preview of a link. It keeps no cookie and does not wait. */
    LINK_FETCH("link-fetch");

    /**
     * Fields in which browsers name the purpose: {@code Sec-Purpose} (Fetch Standard), {@code Purpose} (Chromium), {@code X-Purpose}
     * (WebKit) and {@code X-Moz} (Firefox).
     */
    private static final List<FieldName> FIELDS = List.of(
            FieldName.of("sec-purpose"), FieldName.of("purpose"), FieldName.of("x-purpose"), FieldName.of("x-moz"));

    private static final Set<String> EARLY = Set.of("prefetch", "prerender", "preview");

    private final String label;

    RequestPurpose(String label) {
        this.label = label;
    }

    /** Returns the purpose that the request names, or {@link #USE}. */
    static RequestPurpose of(RequestHead request) {
        for (FieldName field : FIELDS) {
            String purpose = request.joined(field);
            if (purpose != null && namesEarly(purpose)) {
                return PREFETCH;
            }
        }
        @Nullable String agent = request.value(FieldName.USER_AGENT);
        return agent != null && LinkFetchers.include(agent) ? LINK_FETCH : USE;
    }

    /** Returns the name for the log. */
    String label() {
        return label;
    }

    /** Returns whether a member of the list, without its parameters, is one of {@link #EARLY}, such as {@code prefetch;prerender}. */
    private static boolean namesEarly(String purpose) {
        for (String member : purpose.split(",", -1)) {
            String name = member.split(";", 2)[0].trim().toLowerCase(Locale.ROOT);
            if (EARLY.contains(name)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Link fetchers: programs that load a page for the preview of a link in a message, and name themselves in User-Agent. They keep no cookie, so
     * a place in a queue would be of no use to them. Crawlers of search engines are not among them: in a room without a rate a search engine
     * would never see the site. Those that should not wait are configured in {@code fair-queue.crawlers}, and are verified.
     */
    private static final class LinkFetchers {

        /** Names that occur anywhere, also in a User-Agent that begins like one of a browser. No browser or app of a person has them. */
        private static final List<String> NAMES = List.of(
                "slackbot",
                "slack-imgproxy",
                "twitterbot",
                "facebookexternalhit",
                "facebookcatalog",
                "meta-externalfetcher",
                "linkedinbot",
                "discordbot",
                "telegrambot",
                "skypeuripreview",
                "pinterestbot",
                "redditbot",
                "embedly",
                "iframely",
                "bingpreview",
                "microsoftpreview",
                "vkshare",
                "snap url preview",
                "bluesky cardyb",
                "quora link preview");

        /** Names with which a User-Agent begins. Further back they occur in browsers inside the app of that name, which people use. */
        private static final List<String> FIRST = List.of("whatsapp/", "pinterest/", "mastodon/", "http.rb/", "viber/");

        private LinkFetchers() {}

        static boolean include(String agent) {
            String lowerCase = agent.toLowerCase(Locale.ROOT);
            return NAMES.stream().anyMatch(lowerCase::contains)
                    || FIRST.stream().anyMatch(lowerCase::startsWith);
        }
    }
}
