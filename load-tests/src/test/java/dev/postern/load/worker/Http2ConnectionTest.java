package dev.postern.load.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class Http2ConnectionTest {
    private static final String SETTINGS = "000000040000000000";
    private static final String ACKNOWLEDGED = "000000040100000000";
    private static final String PREFACE = "505249202a20485454502f322e300d0a0d0a534d0d0a0d0a" + SETTINGS;

    private final ByteArrayOutputStream sent = new ByteArrayOutputStream();

    @Test
    void exchangesUntilTheEndOfTheResponse() throws IOException {
        connection(SETTINGS + "00000101040000000188" + "000002000100000001" + "6f6b")
                .exchange(Http2Connection.GET);

        assertThat(sent()).isEqualTo(PREFACE + "00000e010500000001" + "82868441096c6f63616c686f7374" + ACKNOWLEDGED);
    }

    @Test
    void opensAndEndsTunnels() throws IOException {
        Http2Connection connection = connection("00000101040000000188" + "00000101040000000388");
        Closeable first = connection.open(Http2Connection.connect("a:1"));
        connection.open(Http2Connection.connect("a:1"));
        assertThat(connection.streams()).isEqualTo(2);
        first.close();

        assertThat(connection.streams()).isEqualTo(1);
        assertThat(sent())
                .isEqualTo(PREFACE + "00000e010400000001" + "0207434f4e4e45435401" + "03613a31" + "00000e010400000003"
                        + "0207434f4e4e45435401" + "03613a31" + "000000000100000001");
    }

    @Test
    void failsAtAnotherStatus() {
        assertThatThrownBy(() -> connection("0000010105000000018d").exchange(Http2Connection.GET))
                .hasMessageContaining("expected: the response 200");
    }

    private String sent() {
        return HexFormat.of().formatHex(sent.toByteArray());
    }

    private Http2Connection connection(String received) throws IOException {
        InputStream in = new ByteArrayInputStream(HexFormat.of().parseHex(received));
        return new Http2Connection(new Socket() {
            @Override
            public InputStream getInputStream() {
                return in;
            }

            @Override
            public OutputStream getOutputStream() {
                return sent;
            }
        });
    }
}
