package dev.postern.ratelimit.waiting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WaitingPageTest {

    private static final QueuePosition POSITION = new QueuePosition("waiting", 12, 754, 3);

    @Test
    void fillsPlaceholdersAndEscapesTheirValues() {
        WaitingPage page = WaitingPage.of(
                "<html lang={{lang}} dir={{dir}}>{{position}} {{time}} {{retry}} {{address}} {{poll}} {{place}}");

        assertThat(page.render(POSITION, WaitingText.in("en"), "abc-1", "./b?c&d", "/a\"<b>&", false))
                .isEqualTo("<html lang=en dir=ltr>12 about 13 min 3 ./b?c&amp;d /a&quot;&lt;b>&amp; Your place");
    }

    @Test
    void arabicIsWrittenFromRightToLeft() {
        String html = WaitingPage.builtIn().render(POSITION, WaitingText.in("ar"), "abc-1", "./b", "/p", false);
        assertThat(html).contains("<html lang=\"ar\" dir=\"rtl\">", "مكانك");
    }

    @Test
    void beforeTheOpeningItShowsTheTimeAndTheLot() {
        QueuePosition early = new QueuePosition("early", 0, 4 * 3600, 10);
        String html = WaitingPage.builtIn().render(early, WaitingText.in("en"), "abc-1", "./b", "/p", false);
        assertThat(html).contains(">It opens soon</h1>", "by lot</dd>", "Opens in", "about 4 h");
        for (String language : WaitingLanguages.ALL) {
            assertThat(WaitingPage.builtIn().render(early, WaitingText.in(language), "abc-1", "./b", "/p", false))
                    .as(language)
                    .doesNotContain("{{")
                    .contains(WaitingText.in(language).word("early-intro"));
        }
    }

    @Test
    void reportsThatSubmittedDataWasNotKept() {
        WaitingText english = WaitingText.in("en");
        assertThat(WaitingPage.builtIn().render(POSITION, english, "abc-1", "./b", "/p", true))
                .contains(english.word("posted"));
        assertThat(WaitingPage.builtIn().render(POSITION, english, "abc-1", "./b", "/p", false))
                .doesNotContain(english.word("posted"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<img src=\"https://cdn.example/logo.png\">",
                "<img alt=x src='/logo.png'>",
                "<IMG SRC=//cdn.example/logo.png>",
                "<script src=room.js></script>",
                "<link rel=stylesheet href=/style.css>",
                "<video poster='x.png'>",
                "<object data=\"movie.swf\">",
                "<body background=tile.gif>",
                "<img srcset=\"a.png 2x\">",
                "<style>@import 'x.css';</style>",
                "<style>body { background: url(x.png) }</style>",
                "<style>body { background: URL( 'https://x/y.png' ) }</style>"
            })
    void refusesPagesThatLoadResources(String html) {
        assertThatThrownBy(() -> WaitingPage.of("<html>" + html))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("nothing that has to be loaded");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<a href=\"https://status.example/\">status</a>",
                "<a class=b href=/help>help</a>",
                "<img src=\"data:image/png;base64,AAAA\">",
                "<use href=\"#icon\"/>",
                "<a href=\"\">{{again}}</a>",
                "<style>i { fill: url(#g) }</style>",
                "<style>i { background: url(data:image/png;base64,AA) }</style>"
            })
    void acceptsInlineContent(String html) {
        assertThat(WaitingPage.of(html).render(POSITION, WaitingText.in("en"), "abc-1", "./b", "/p", false))
                .isNotEmpty();
    }

    @Test
    void refusesUnknownPlaceholdersAndLargePages() {
        assertThatThrownBy(() -> WaitingPage.of("{{positon}}"))
                .hasMessageContaining("page.template: {{positon}} (expected: one of ")
                .hasMessageContaining("position");
        assertThatThrownBy(() -> WaitingPage.of("x".repeat(WaitingPage.MAX + 1)))
                .hasMessageContaining("131073 characters (expected: 131072 at most)");
    }
}
