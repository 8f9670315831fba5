package dev.postern.ratelimit.handler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.http.FieldName;
import dev.postern.core.http.RequestHead;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RequestPurposeTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Sec-Purpose | prefetch",
                "Sec-Purpose | prefetch;prerender",
                "Sec-Purpose | prefetch;anonymous-client-ip",
                "Sec-Purpose | prefetch ; prerender ; preview",
                "Sec-Purpose | prerender",
                "Sec-Purpose | something, prefetch",
                "Purpose     | prefetch",
                "Purpose     | Prefetch",
                "X-Purpose   | preview",
                "X-Moz       | prefetch",
            })
    void namesWhatIsLoadedForLater(String field, String value) {
        assertThat(RequestPurpose.of(with(field, value))).isEqualTo(RequestPurpose.PREFETCH);
    }

    @Test
    void readsEachFieldOfAName() {
        RequestHead request = with("Sec-Purpose", "something");
        request.add(FieldName.of("sec-purpose"), "prefetch");

        assertThat(RequestPurpose.of(request)).isEqualTo(RequestPurpose.PREFETCH);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Sec-Purpose | ''",
                "Sec-Purpose | something",
                "Sec-Purpose | something;prefetch",
                "Sec-Purpose | prefetched",
                "Purpose     | purchase",
                "X-Prefetch  | prefetch",
            })
    void otherPurposesAreUses(String field, String value) {
        assertThat(RequestPurpose.of(with(field, value))).isEqualTo(RequestPurpose.USE);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)",
                "Slackbot 1.0 (+https://api.slack.com/robots)",
                "Twitterbot/1.0",
                "facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)",
                "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_11_1) AppleWebKit/601.2.4 (KHTML, like Gecko) Version/9.0.1 Safari/601.2.4"
                        + " facebookexternalhit/1.1 Facebot Twitterbot/1.0",
                "LinkedInBot/1.0 (compatible; Mozilla/5.0; Apache-HttpClient +http://www.linkedin.com)",
                "Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)",
                "TelegramBot (like TwitterBot)",
                "WhatsApp/2.23.20.0 A",
                "Mozilla/5.0 (Windows NT 6.1; WOW64) SkypeUriPreview Preview/0.5",
                "Pinterest/0.2 (+https://www.pinterest.com/bot.html)",
                "Mastodon/4.2.0 (http.rb/5.1.1; +https://social.example/)",
                "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) MicrosoftPreview/2.0"
                        + " +https://aka.ms/MicrosoftPreview Chrome/120.0.0.0 Safari/537.36",
                "Mozilla/5.0 (compatible; vkShare; +http://vk.com/dev/Share)",
                "Mozilla/5.0 (compatible; Bluesky Cardyb/1.1; +mailto:support@bsky.app)",
                "Snap URL Preview Service; bot; snapchat; https://developers.snap.com/robots",
                "http.rb/5.1.1 (Mastodon/4.2.0; +https://social.example/) Bot",
            })
    void knowsProgramsThatFetchLinks(String agent) {
        assertThat(RequestPurpose.of(with("User-Agent", agent))).isEqualTo(RequestPurpose.LINK_FETCH);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
                "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/22F76"
                        + " [FBAN/FBIOS;FBAV/500.0.0.0;FBDV/iPhone14,5]",
                "Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36 [Pinterest/Android]",
                "Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36 WhatsApp/2.23.20",
                "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 [LinkedInApp]/9.30",
                "Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36 Telegram-Android/11.0",
                "Mozilla/5.0 (Macintosh) AppleWebKit/537.36 (KHTML, like Gecko) Slack/4.39.95 Chrome/126.0 Electron/31.1",
                "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
                "curl/8.14.1",
                "",
            })
    void browsersInsideAppsCrawlersAndOtherProgramsAreUses(String agent) {
        assertThat(RequestPurpose.of(with("User-Agent", agent))).isEqualTo(RequestPurpose.USE);
    }

    private static RequestHead with(String field, String value) {
        RequestHead request = new RequestHead();
        request.add(FieldName.of(field), value);
        return request;
    }
}
