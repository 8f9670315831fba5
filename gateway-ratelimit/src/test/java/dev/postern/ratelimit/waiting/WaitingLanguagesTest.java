package dev.postern.ratelimit.waiting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.FieldSource;

class WaitingLanguagesTest {

    static final Object ALL = WaitingLanguages.ALL;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "de|de",
                "de-AT, en;q=0.8|de",
                "en;q=0.3, fr;q=0.9|fr",
                "zh-Hant-TW|zh",
                "AR-eg|ar",
                "tlh, *;q=0.1|en",
                "pt-BR, es;q=0.5|es",
                "''|en",
                "!!!, ;;;|en",
                "de;q=lots|en"
            })
    void selectsTheBestSupportedLanguage(String acceptLanguage, String selected) {
        assertThat(WaitingLanguages.of("auto").text(acceptLanguage).language()).isEqualTo(selected);
    }

    @Test
    void readsOnlyABoundedList() {
        assertThat(WaitingLanguages.of("auto").text("de,".repeat(5_000)).language())
                .isEqualTo("en");
    }

    @Test
    void usesConfiguredLanguagesAndTheFirstAsDefault() {
        WaitingLanguages languages = WaitingLanguages.of("fr, de");
        assertThat(languages.text("en").language()).isEqualTo("fr");
        assertThat(languages.text("de-CH").language()).isEqualTo("de");
        assertThatThrownBy(() -> WaitingLanguages.of("fr, xx"))
                .hasMessage("page.languages: fr, xx (expected: auto, or some of en, ja, zh, de, fr, es, ar)");
    }

    @ParameterizedTest
    @FieldSource("ALL")
    void everyLanguageHasTheSameKeys(String language) {
        Map<String, String> english = WaitingText.in("en").words();
        WaitingText text = WaitingText.in(language);
        assertThat(text.words().keySet()).isEqualTo(english.keySet());
        assertThat(text.words().values()).noneMatch(String::isBlank);
        assertThat(text.time(0)).isEqualTo(text.word("unknown"));
        assertThat(text.time(59)).isEqualTo(text.word("soon"));
        assertThat(text.time(754)).contains("13").doesNotContain("{0}");
        if (!language.equals("en")) {
            assertThat(text.words()).allSatisfy((name, word) -> assertThat(word).isNotEqualTo(english.get(name)));
        }
    }
}
