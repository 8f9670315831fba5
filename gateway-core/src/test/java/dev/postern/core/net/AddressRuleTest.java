package dev.postern.core.net;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests which of the two lists of an address rule counts. */
class AddressRuleTest {

    private static @Nullable CidrSet set(@Nullable String ranges) {
        return ranges == null ? null : CidrSet.of(ranges.isEmpty() ? List.of() : List.of(ranges.split(" ")));
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "none",
            value = {
                "none, 10.0.0.0/8, 10.0.0.1, true",
                "none, 10.0.0.0/8, 11.0.0.1, false",
                "10.0.0.0/8, '', 10.0.0.1, false",
                "10.0.0.0/8, '', 11.0.0.1, true",
                "10.0.0.0/8, 10.0.0.1, 10.0.0.1, true",
                "10.0.0.1, 10.0.0.0/8, 10.0.0.1, true",
                "10.0.0.0/8, 10.0.0.1, ::ffff:10.0.0.1, true",
                "'', '', 10.0.0.1, true",
            })
    void denyCountsFirst(@Nullable String allow, String deny, String client, boolean denied)
            throws UnknownHostException {
        CidrSet denying = CidrSet.of(deny.isEmpty() ? List.of() : List.of(deny));
        assertThat(new AddressRule(set(allow), denying).denies(InetAddress.getByName(client)))
                .isEqualTo(denied);
    }
}
