package dev.postern.core.exchange;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.postern.core.exchange.RefusalRenderer.Body;
import dev.postern.core.http.LanguageRanges;
import dev.postern.core.http.Refusal;
import dev.postern.core.spi.Decision;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Page of a refusal for people where no extension has one, rendered once. What people can meet without a fault of their own is explained in
 * several languages, with what to do; other refusals have their advice in English.
 *
 * @param languages bodies by language; English is always there
 */
record BuiltInPage(Map<String, Body> languages) {

    /** Languages of the waiting room, too. */
    static final List<String> LANGUAGES = List.of("en", "ja", "zh", "de", "fr", "es", "ar");

    private static final String ENGLISH = "en";
    private static final String RIGHT_TO_LEFT = "ar";
    private static final String TEMPLATE = resource("refusal.html");
    private static final Map<String, Properties> TEXTS =
            LANGUAGES.stream().collect(Collectors.toUnmodifiableMap(language -> language, BuiltInPage::texts));

    private static final String CLOSED_DOOR = """
              <path d="M198 140V64a42 42 0 0 1 84 0v76z" fill="var(--wall-deep)"/>
              <path d="M208 140V66a32 32 0 0 1 64 0v74z" fill="var(--joint)"/>
              <path d="M240 34v106M224 40v100M256 40v100" stroke="var(--wall-deep)"/>
              <circle cx="240" cy="96" r="9" fill="var(--light)"/><path d="M240 92a3 3 0 0 1 1.6 5.5l1.4 6.5h-6l1.4-6.5A3 3 0 0 1 240 92z" fill="var(--ink)"/>
            """;
    private static final String SIGNPOST = """
              <path d="M236 140V28h8v112z" fill="var(--wall-deep)"/>
              <path d="M244 36h62l14 13-14 13h-62z" fill="var(--light)"/>
              <path d="M236 72h-62l-14 13 14 13h62z" fill="var(--joint)"/>
            """;

    /** Returns the page of a refusal of the table. */
    static BuiltInPage of(Refusal refusal, Decision.Refused refused) {
        return switch (refusal) {
            case TOKEN_REQUIRED -> inAllLanguages(refused, CLOSED_DOOR);
            case MISDIRECTED -> inAllLanguages(refused, SIGNPOST);
            default -> of(refused);
        };
    }

    /** Returns the page of any refusal: its status and its advice. */
    static BuiltInPage of(Decision.Refused refused) {
        Map<String, String> values =
                Map.of("heading", Integer.toString(refused.status()), "intro", html(refused.detail()), "steps", "");
        return new BuiltInPage(Map.of(ENGLISH, body(refused, ENGLISH, CLOSED_DOOR, values)));
    }

    private static BuiltInPage inAllLanguages(Decision.Refused refused, String picture) {
        return new BuiltInPage(LANGUAGES.stream()
                .collect(Collectors.toUnmodifiableMap(
                        language -> language, language -> translated(refused, language, picture))));
    }

    private static Body translated(Decision.Refused refused, String language, String picture) {
        StringBuilder steps = new StringBuilder("<ol>\n");
        for (int number = 1; number <= 3; number++) {
            steps.append("<li>")
                    .append(text(language, refused.code() + "." + number))
                    .append("</li>\n");
        }
        steps.append("</ol>\n<p class=\"links\"><a href=\"\">")
                .append(text(language, "again"))
                .append("</a>");
        @Nullable String more = texts(language, refused.code() + ".more");
        if (more != null) {
            steps.append(" <a href=\"https://www.rfc-editor.org/rfc/rfc9576\">")
                    .append(html(more))
                    .append("</a>");
        }
        Map<String, String> values = Map.of(
                "heading",
                text(language, refused.code() + ".heading"),
                "intro",
                text(language, refused.code() + ".intro"),
                "steps",
                steps.append("</p>\n").toString());
        return body(refused, language, picture, values);
    }

    private static Body body(Decision.Refused refused, String language, String picture, Map<String, String> values) {
        String page = TEMPLATE.stripTrailing()
                .replace("{{lang}}", language)
                .replace("{{dir}}", language.equals(RIGHT_TO_LEFT) ? "rtl" : "ltr")
                .replace("{{picture}}", picture)
                .replace("{{status}}", Integer.toString(refused.status()))
                .replace("{{code}}", refused.code());
        for (Map.Entry<String, String> value : values.entrySet()) {
            page = page.replace("{{" + value.getKey() + "}}", value.getValue());
        }
        return Body.of(
                page,
                "<br>" + text(language, "request") + " <code dir=\"ltr\">",
                "</code>",
                "</p>\n</div>\n</main>\n</html>\n");
    }

    private static String text(String language, String key) {
        return html(Objects.requireNonNull(texts(language, key), language + ": " + key));
    }

    private static @Nullable String texts(String language, String key) {
        return Objects.requireNonNull(TEXTS.get(language), language).getProperty(key);
    }

    private static Properties texts(String language) {
        Properties texts = new Properties();
        try (InputStream in = open("text/" + language + ".properties")) {
            texts.load(new InputStreamReader(in, UTF_8));
            return texts;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String resource(String name) {
        try (InputStream in = open(name)) {
            return new String(in.readAllBytes(), UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static InputStream open(String name) {
        return Objects.requireNonNull(BuiltInPage.class.getResourceAsStream(name), name);
    }

    private static String html(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }

    /** Returns the page in the language that suits the Accept-Language field best, else in English. */
    Body in(@Nullable String acceptLanguage) {
        @Nullable String best = languages.size() == 1 ? null : LanguageRanges.best(acceptLanguage, LANGUAGES);
        return Objects.requireNonNull(languages.get(best == null ? ENGLISH : best));
    }
}
