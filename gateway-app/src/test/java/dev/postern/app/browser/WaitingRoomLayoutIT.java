package dev.postern.app.browser;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the layout of the waiting room: in every language, in light and dark colors, on small screens, and for screen readers. */
@Tag("browser")
@Tag("long")
class WaitingRoomLayoutIT {

    private static final Axe AXE = new Axe();
    private static final String MOVING = "no-preference";

    private static FullWaitingRoom room;
    private static Browser browser;

    @BeforeAll
    static void open() {
        room = new FullWaitingRoom();
        browser = Browser.withScript();
        for (int i = 0; i < 6; i++) {
            room.come().enter();
        }
    }

    @AfterAll
    static void close() {
        browser.close();
        room.close();
    }

    private static void show(String language, String scheme, int width, int height) {
        browser.prefer(language).prefer(scheme, MOVING).size(width, height, 1);
        browser.open(room.url("/"));
        assertThat(browser.run("return document.documentElement.lang")).isEqualTo(language);
    }

    @ParameterizedTest
    @CsvSource({
        "en, light",
        "en, dark",
        "ar, light",
        "ar, dark",
        "ja, light",
        "zh, light",
        "de, dark",
        "fr, light",
        "es, dark"
    })
    void axeFindsNothing(String language, String scheme) {
        show(language, scheme, 1280, 800);
        assertThat(AXE.findings(browser)).isEmpty();
        show(language, scheme, 320, 640);
        assertThat(AXE.findings(browser)).isEmpty();
        browser.run("document.getElementById('room').dataset.state = 'stopped'");
        assertThat(AXE.findings(browser)).as("without a place").isEmpty();
    }

    /** WCAG 1.4.10: a width of 320 CSS pixels equals 1280 at a zoom of 400 %. */
    @ParameterizedTest
    @ValueSource(strings = {"en", "ja", "zh", "de", "fr", "es", "ar"})
    void needsNoHorizontalScrolling(String language) {
        show(language, "light", 320, 640);
        assertThat(browser.run("return document.documentElement.scrollWidth <= document.documentElement.clientWidth"))
                .isEqualTo(true);
    }

    @Test
    void arabicIsRightToLeft() {
        show("ar", "light", 1280, 800);
        assertThat(browser.run("return getComputedStyle(document.querySelector('h1')).direction"))
                .isEqualTo("rtl");
    }

    @Test
    void darkSchemeIsDarker() {
        show("en", "light", 1280, 800);
        Object day = backgroundColor();
        show("en", "dark", 1280, 800);
        assertThat(backgroundColor()).isNotEqualTo(day);
    }

    private static @Nullable Object backgroundColor() {
        return browser.run("return getComputedStyle(document.body).backgroundColor");
    }

    @Test
    void hasNoAnimationWithReducedMotion() {
        browser.prefer("en").prefer("light", "reduce").size(1280, 800, 1);
        browser.open(room.url("/"));
        assertThat(browser.run("return document.getAnimations().length")).isEqualTo(0L);
    }

    /** {@code -Ddocs.write=true} writes the pictures. */
    @Test
    void picturesOfTheDocsAreSmall() throws IOException {
        show("en", "light", 900, 760);
        picture("waiting-room.png");
        show("ar", "dark", 900, 760);
        picture("waiting-room-dark-ar.png");
    }

    private static void picture(String name) throws IOException {
        byte[] picture = browser.picture();
        assertThat(picture).as(name).hasSizeBetween(10_000, 150_000);
        if (Boolean.getBoolean("docs.write")) {
            Files.write(Path.of("..", "docs", name), picture);
        }
    }
}
