package dev.postern.app;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class VersionTest {

    @Test
    void isThatOfTheBuild() {
        assertThat(Version.OURS).matches("\\d+\\.\\d+\\.\\d+(-[A-Za-z0-9.]+)?");
        assertThat(Version.COMMIT).matches("commit (unknown|[0-9a-f]{12}(\\+changes)?( of \\d{4}-\\d\\d-\\d\\d)?)");
    }

    @Test
    void namesCommitAndDay() {
        assertThat(Version.commit("6773b282a1b2", "2026-11-29")).isEqualTo("commit 6773b282a1b2 of 2026-11-29");
        assertThat(Version.commit("", "")).isEqualTo("commit unknown");
    }
}
