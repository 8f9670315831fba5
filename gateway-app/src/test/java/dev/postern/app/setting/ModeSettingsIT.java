package dev.postern.app.setting;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Tests {@code privacy-pass.failure-budget}, which needs the threads that verify. */
class ModeSettingsIT {

    @Test
    void forgedTokensUseUpTheBudgetAndGoodOnesPass() {
        try (Site site = Site.requiringTokens("privacy-pass.failure-budget=5/h")) {
            for (int i = 0; i < 20; i++) {
                assertThat(site.redeem(forged(site))).isEqualTo(401);
            }
            assertThat(site.redeem(site.token())).isEqualTo(200);

            String metrics = site.metrics();
            assertThat(count(metrics, "deprioritized_total{result=\"invalid\"}")
                            + count(metrics, "deprioritized_total{result=\"unreached\"}"))
                    .isEqualTo(15);
            assertThat(count(metrics, "deprioritized_total{result=\"good\"}")).isEqualTo(1);
        }
    }

    private static String forged(Site site) {
        String token = site.token();
        int offset = token.length() - 20;
        return token.substring(0, offset) + (token.charAt(offset) == 'A' ? 'B' : 'A') + token.substring(offset + 1);
    }

    private static double count(String metrics, String series) {
        return metrics.lines()
                .filter(line -> line.startsWith("postern_token_" + series))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
                .sum();
    }
}
