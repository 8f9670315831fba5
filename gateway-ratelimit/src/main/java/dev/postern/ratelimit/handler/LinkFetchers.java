package dev.postern.ratelimit.handler;

import java.util.List;
import java.util.Locale;

/**
 * Link fetchers: programs that load a page for the preview of a link in a message, and name themselves in User-Agent. They keep no cookie, so
 * a place in a queue would be of no use to them. Crawlers of search engines are not among them: in a room without a rate a search engine
 * would never see the site. Those that should not wait are configured in {@code fair-queue.crawlers}, and are verified.
 */
final class LinkFetchers {

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
        return NAMES.stream().anyMatch(lowerCase::contains) || FIRST.stream().anyMatch(lowerCase::startsWith);
    }
}
