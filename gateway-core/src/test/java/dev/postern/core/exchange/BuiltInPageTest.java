package dev.postern.core.exchange;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.http.Refusal;
import dev.postern.core.spi.Decision;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class BuiltInPageTest {

    private static BuiltInPage page(Refusal refusal) {
        return BuiltInPage.of(refusal, new Decision.Refused(refusal.status(), refusal.code(), refusal.advice()));
    }

    private static String text(Refusal refusal, String acceptLanguage) {
        return new String(page(refusal).in(acceptLanguage).whole(), UTF_8);
    }

    @ParameterizedTest
    @EnumSource(Refusal.class)
    void everyRefusalHasAPageWithoutHoles(Refusal refusal) {
        assertThat(text(refusal, ""))
                .startsWith("<!doctype html>\n<html lang=\"en\" dir=\"ltr\">")
                .contains("<p class=\"id\">" + refusal.status() + " <code dir=\"ltr\">" + refusal.code() + "</code>")
                .endsWith("</html>\n")
                .doesNotContain("{{", "null");
    }

    @ParameterizedTest
    @CsvSource({
        "en, ltr, This site asks for a token",
        "de, ltr, Diese Seite verlangt ein Token",
        "fr, ltr, Ce site demande un jeton",
        "es, ltr, Este sitio pide un token",
        "ja, ltr, このサイトにはトークンが必要です",
        "zh, ltr, 本站需要令牌",
        "ar, rtl, يطلب هذا الموقع رمزًا مميزًا",
        "'nl, de-AT;q=0.8, en;q=0.5', ltr, Diese Seite verlangt ein Token",
        "nl, ltr, This site asks for a token",
        "'*;q=x', ltr, This site asks for a token"
    })
    void aMissingTokenIsExplainedInTheLanguageOfTheReader(String accepted, String direction, String heading) {
        assertThat(text(Refusal.TOKEN_REQUIRED, accepted))
                .contains("dir=\"" + direction + "\">\n<meta", "<h1>" + heading + "</h1>", "<ol>", "<a href=\"\">")
                .contains("https://www.rfc-editor.org/rfc/rfc9576");
    }

    static Stream<String> languages() {
        return BuiltInPage.LANGUAGES.stream();
    }

    @ParameterizedTest
    @MethodSource("languages")
    void everyLanguageHasTextsOfItsOwn(String language) {
        List<String> other = new ArrayList<>();
        for (Refusal refusal : List.of(Refusal.TOKEN_REQUIRED, Refusal.MISDIRECTED)) {
            assertThat(text(refusal, language))
                    .contains("<html lang=\"" + language + "\"")
                    .doesNotContain("{{");
            BuiltInPage.LANGUAGES.stream()
                    .filter(tag -> !tag.equals(language))
                    .map(tag -> text(refusal, tag))
                    .forEach(other::add);
            for (String line : text(refusal, language).split("\n")) {
                if (line.startsWith("<li>") || line.startsWith("<h1>") || line.startsWith("<p>")) {
                    assertThat(other).noneMatch(page -> page.contains(line));
                }
            }
        }
    }

    @Test
    void containsTheIdOfTheRequest() {
        assertThat(new String(page(Refusal.MISDIRECTED).in("fr").before(), UTF_8))
                .endsWith("<br>Requête <code dir=\"ltr\">");
        assertThat(text(Refusal.MISDIRECTED, "fr")).doesNotContain("Requête");
    }

    /** Advice of extensions is text of others. */
    @Test
    void escapesTheAdvice() {
        BuiltInPage page = BuiltInPage.of(new Decision.Refused(403, "no-bots", "<b>&"));

        assertThat(new String(page.in(null).whole(), UTF_8)).contains("<h1>403</h1>\n<p>&lt;b&gt;&amp;</p>");
    }
}
