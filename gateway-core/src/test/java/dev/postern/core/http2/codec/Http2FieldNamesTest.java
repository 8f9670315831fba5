package dev.postern.core.http2.codec;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.http.ResponseHead;
import dev.postern.core.testing.RawField;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class Http2FieldNamesTest {

    /** Creates a head with one field of that name. */
    private static ResponseHead head(String name) {
        ResponseHead head = new ResponseHead();
        RawField.add(head, name, "v");
        return head;
    }

    @ParameterizedTest
    @ValueSource(strings = {"Content-Type", "content-type", "CONTENT-TYPE", "X-Own", "Server", "a", "^_", "ETag"})
    void namesAreInLowerCase(String name) {
        assertThat(Http2FieldNames.lowerCase(head(name), 0).toString()).isEqualTo(name.toLowerCase(Locale.ROOT));
    }

    @Test
    void distinguishesNamesWithEqualHashes() {
        // The hash of a name uses five bits of each character: these two differ in the sixth.
        assertThat(Http2FieldNames.lowerCase(head("Via"), 0).toString()).isEqualTo("via");
        assertThat(Http2FieldNames.lowerCase(head("\u0016ia"), 0).toString()).isEqualTo("\u0016ia");
    }

    @ParameterizedTest
    @ValueSource(strings = {"Connection", "keep-alive", "Proxy-Connection", "transfer-encoding", "Upgrade"})
    void findsHopByHopFields(String name) {
        assertThat(Http2FieldNames.ofConnection(head(name), 0)).isTrue();
        assertThat(Http2FieldNames.ofConnection(head(name + "s"), 0)).isFalse();
    }
}
