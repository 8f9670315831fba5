package dev.postern.app.mapping;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.app.log.LogSettings.Format;
import java.net.URISyntaxException;
import java.util.Objects;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.core.Appender;
import org.apache.logging.log4j.core.LoggerContext;
import org.apache.logging.log4j.core.impl.Log4jLogEvent;
import org.apache.logging.log4j.message.SimpleMessage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Tests the format of the program's log with the program's own logging configuration. */
class LogMappingTest {

    private LoggerContext context;

    @BeforeEach
    void open() throws URISyntaxException {
        context = new LoggerContext(
                "format",
                null,
                Objects.requireNonNull(LogMappingTest.class.getResource("/log4j2.xml"))
                        .toURI());
        context.start();
    }

    @AfterEach
    void close() {
        context.stop();
    }

    /** Returns a line as the only appender of the log writes it. */
    private String line() {
        assertThat(context.getConfiguration().getRootLogger().getAppenders()).hasSize(1);
        Appender appender = context.getConfiguration()
                .getRootLogger()
                .getAppenders()
                .values()
                .iterator()
                .next();
        return new String(
                appender.getLayout()
                        .toByteArray(Log4jLogEvent.newBuilder()
                                .setLoggerName("dev.postern.app.Gateway")
                                .setLevel(Level.WARN)
                                .setMessage(new SimpleMessage("two\nlines"))
                                .setThrown(new IllegalStateException("broken"))
                                .build()),
                UTF_8);
    }

    @Test
    void isJsonWithTheNamesOfEcsOnRequest() {
        LogMapping.format(context, Format.JSON);

        assertThat(line()).endsWith("}\n").containsOnlyOnce("\n");
        JsonNode json = JsonMapper.shared().readTree(line());
        assertThat(json.get("log.level").asString()).isEqualTo("WARN");
        assertThat(json.get("message").asString()).isEqualTo("two\nlines");
        assertThat(json.get("log.logger").asString()).isEqualTo("dev.postern.app.Gateway");
        assertThat(json.get("error.message").asString()).isEqualTo("broken");
        assertThat(json.has("@timestamp")).isTrue();
    }

    @Test
    void changesAtAnyTime() {
        for (int i = 0; i < 2; i++) {
            LogMapping.format(context, Format.JSON);
            assertThat(line()).startsWith("{");
            LogMapping.format(context, Format.TEXT);
            assertThat(line()).contains("WARN  Gateway: two\nlines");
        }
    }
}
