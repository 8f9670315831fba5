package dev.postern.auth.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.route.ChallengeRule;
import java.util.List;
import org.junit.jupiter.api.Test;

class OpenedSessionsTest {

    private static final ChallengeRule RULE = ChallengeRule.DEFAULT;

    private final OpenedSessions opened = new OpenedSessions();

    private static SessionBinding binding(String host, ChallengeRule rule, int... client) {
        byte[] bytes = new byte[client.length];
        for (int i = 0; i < client.length; i++) {
            bytes[i] = (byte) client[i];
        }
        return new SessionBinding(host, rule, bytes);
    }

    @Test
    void findsWhatWasOpenedWithTheSameBinding() {
        opened.add("sealed", binding("a.example", RULE, 1), new byte[] {7});

        ChallengeRule sameRule = new ChallengeRule(List.of(), "", ChallengeRule.Context.WINDOW);
        assertThat(opened.find("sealed", binding("a.example", sameRule, 1))).containsExactly(7);
    }

    @Test
    void findsNothingForAnotherTextOrBinding() {
        opened.add("sealed", binding("a.example", RULE, 1), new byte[] {7});

        ChallengeRule otherRule = new ChallengeRule(List.of(), "b.example", ChallengeRule.Context.WINDOW);
        assertThat(opened.find("sealee", binding("a.example", RULE, 1))).isNull();
        assertThat(opened.find("sealed", binding("b.example", RULE, 1))).isNull();
        assertThat(opened.find("sealed", binding("a.example", otherRule, 1))).isNull();
        assertThat(opened.find("sealed", binding("a.example", RULE, 2))).isNull();
        assertThat(opened.find("sealed", binding("a.example", RULE))).isNull();
    }

    @Test
    void textsOfOneSlotAreNotMistakenForEachOther() {
        SessionBinding binding = binding("a.example", RULE);
        assertThat("Aa".hashCode()).isEqualTo("BB".hashCode());

        opened.add("Aa", binding, new byte[] {1});
        assertThat(opened.find("BB", binding)).isNull();
        opened.add("BB", binding, new byte[] {2});

        assertThat(opened.find("BB", binding)).containsExactly(2);
        assertThat(opened.find("Aa", binding)).isNull();
    }

    @Test
    void keepsNoLongBindings() {
        SessionBinding longest = new SessionBinding("a.example", RULE, new byte[OpenedSessions.LONGEST_BINDING - 9]);
        SessionBinding longer = new SessionBinding("a.example", RULE, new byte[OpenedSessions.LONGEST_BINDING - 8]);
        opened.add("browser", longest, new byte[] {1});
        opened.add("attacker", longer, new byte[] {1});

        assertThat(opened.find("browser", longest)).containsExactly(1);
        assertThat(opened.find("attacker", longer)).isNull();
    }

    @Test
    void keepsNoMoreThanItHasSlots() {
        SessionBinding binding = binding("a.example", RULE);
        int texts = OpenedSessions.SLOTS * 4;
        for (int i = 0; i < texts; i++) {
            opened.add("text-" + i, binding, new byte[] {1});
        }
        int kept = 0;
        for (int i = 0; i < texts; i++) {
            kept += opened.find("text-" + i, binding) == null ? 0 : 1;
        }
        assertThat(kept).isBetween(OpenedSessions.SLOTS / 2, OpenedSessions.SLOTS);
    }
}
