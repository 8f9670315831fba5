package dev.postern.app.browser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.openqa.selenium.support.ui.ExpectedConditions.textToBePresentInElementLocated;
import static org.openqa.selenium.support.ui.ExpectedConditions.titleIs;

import dev.postern.app.client.SiteClient;
import dev.postern.app.demo.Demo;
import dev.postern.app.demo.DemoPorts;
import java.io.IOException;
import java.net.URI;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.By;

/** Tests the demo in a browser that does not support tokens. */
@Tag("browser")
@Tag("long")
class DemoPagesIT {

    private final Browser browser = Browser.withScript();
    private Demo demo;
    private String shop = "";

    @BeforeEach
    void start() throws IOException {
        demo = Demo.start(Demo.Wish.once(DemoPorts.any()));
        Matcher shown = Pattern.compile("shop: (http://\\S+)").matcher(String.join("\n", demo.whatToTry()));
        assertThat(shown.find()).isTrue();
        shop = shown.group(1);
    }

    @AfterEach
    void close() {
        demo.close();
        browser.close();
    }

    @Test
    void theShopAdmitsAVisitorAfterWaiting() throws Exception {
        SiteClient others = new SiteClient();
        for (int i = 0; i < 2; i++) {
            assertThat(others.get(URI.create(shop), Map.of()).status()).isEqualTo(200);
        }
        browser.open(shop);
        assertThat(browser.text("position")).isEqualTo("1");

        browser.await(textToBePresentInElementLocated(By.tagName("body"), "Hello from the site."));
    }

    @Test
    void explainsAMissingToken() {
        browser.open(URI.create(shop).resolve("/").toString());

        browser.await(titleIs("This site asks for a token"));
        assertThat(browser.run("return document.body.innerText"))
                .asString()
                .contains(
                        "A token is a sign from a third party",
                        "Open the site in another browser, or in its app.",
                        "token-required");
        assertThat(browser.run("return document.querySelectorAll('a')[1].href"))
                .isEqualTo("https://www.rfc-editor.org/rfc/rfc9576");
        assertThat(new Axe().findings(browser)).isEmpty();
    }
}
