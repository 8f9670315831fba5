package dev.postern.app.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LogTargetTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "stdout",
                "file:/var/log/postern/exchanges.log",
                "syslog:127.0.0.1:601",
                "syslog:[::1]:601",
                "syslog:logs.example:601"
            })
    void isWrittenAsItWasRead(String text) {
        assertThat(LogTarget.of(text)).hasToString(text);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "stderr",
                "/var/log/x",
                "file:",
                "file:relative",
                "file:/",
                "file:/a\0b",
                "syslog:",
                "syslog:host",
                "syslog:*:1",
                "syslog:host:0",
                "syslog:host:65536",
                "udp:host:1"
            })
    void saysWhatIsExpected(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LogTarget.of(text))
                .withMessageMatching(".*(stdout, file: with an absolute path|host:port).*");
    }
}
