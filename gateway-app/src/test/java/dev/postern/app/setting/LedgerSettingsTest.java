package dev.postern.app.setting;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the keys below {@code privacy-pass.ledger} of a ledger in the process. */
class LedgerSettingsTest {

    @TempDir
    private Path folder;

    @Test
    void tokensAreReturnedWhenNothingWasForwarded() {
        for (boolean returned : new boolean[] {true, false}) {
            try (MemorySite site = MemorySite.requiringTokens("privacy-pass.ledger.give-back=" + returned)) {
                String token = site.token();
                site.network.close(MemorySite.ORIGIN);
                assertThat(site.redeem(token)).isEqualTo(502);
                assertThat(site.redeem(token)).isEqualTo(returned ? 502 : 401);
            }
        }
    }

    @Test
    void memoryOfTheLedgerIsBounded() {
        try (MemorySite site = MemorySite.requiringTokens("privacy-pass.ledger.embedded.max-memory=2MiB")) {
            assertThat(site.admin("/readyz").body()).contains("of 2048 KiB used");
        }
    }

    @Test
    void spendsOutliveTheProcessWithAJournal() throws IOException {
        Path ring = Files.writeString(folder.resolve("ring"), dev.postern.core.crypto.KeyRing.newLine() + "\n");
        for (boolean kept : new boolean[] {true, false}) {
            String[] settings = {
                Site.TOKEN_REQUIRED,
                Site.issuer(),
                "secrets.ring-file=" + ring,
                "privacy-pass.ledger.deadline=10s",
                "privacy-pass.ledger.embedded.journal=" + (kept ? folder.resolve("journal") : "null")
            };
            try (MemorySite site = MemorySite.with(settings)) {
                String spent = site.token();
                String fresh = site.token();
                assertThat(site.redeem(spent)).isEqualTo(200);
                site.restart(settings);
                assertThat(site.redeem(spent)).isEqualTo(401);
                assertThat(site.redeem(fresh)).isEqualTo(kept ? 200 : 401);
            }
        }
    }
}
