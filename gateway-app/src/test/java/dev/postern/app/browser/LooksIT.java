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

/** How the waiting room looks: in every language, by day and by night, on small screens, and to who can't see it. */
@Tag("browser")
class LooksIT {

    private static final Axe AXE = new Axe();
    private static final String MOVING = "no-preference";

    private static FullRoom room;
    private static Browser browser;

    @BeforeAll
    static void open() {
        room = new FullRoom();
        browser = Browser.withScript();
        for (int i = 0; i < 6; i++) {
            room.come().enters();
        }
    }

    @AfterAll
    static void close() {
        browser.close();
        room.close();
    }

    private static void show(String language, String scheme, int width, int height) {
        browser.prefer(language).look(scheme, MOVING).size(width, height, 1);
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
    }

    /** WCAG 1.4.10: 320 pixels of the page's own are also what is left of 1280 at 400 %. */
    @ParameterizedTest
    @ValueSource(strings = {"en", "ja", "zh", "de", "fr", "es", "ar"})
    void nothingHasToBeScrolledSideways(String language) {
        show(language, "light", 320, 640);
        assertThat(browser.run("return document.documentElement.scrollWidth <= document.documentElement.clientWidth"))
                .isEqualTo(true);
    }

    @Test
    void arabicRunsFromTheRight() {
        show("ar", "light", 1280, 800);
        assertThat(browser.run("return getComputedStyle(document.querySelector('h1')).direction"))
                .isEqualTo("rtl");
    }

    @Test
    void theNightIsDarkerThanTheDay() {
        show("en", "light", 1280, 800);
        Object day = ground();
        show("en", "dark", 1280, 800);
        assertThat(ground()).isNotEqualTo(day);
    }

    private static @Nullable Object ground() {
        return browser.run("return getComputedStyle(document.body).backgroundColor");
    }

    @Test
    void nothingMovesForWhoAskedForStillness() {
        browser.prefer("en").look("light", "reduce").size(1280, 800, 1);
        browser.open(room.url("/"));
        assertThat(browser.run("return document.getAnimations().length")).isEqualTo(0L);
    }

    /** {@code -Ddocs.write=true} puts them there anew. */
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
