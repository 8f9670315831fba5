package dev.postern.core.http1;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Difference between the requests that the gateway and Netty's decoder read, where the gateway did not refuse.
 *
 * @param ours null when only Netty finds a complete request
 * @param nettys null when only the gateway finds one
 */
record DecoderDifference(
        What what, @Nullable ReadRequest ours, @Nullable ReadRequest nettys) {

    enum What {
        WHETHER,
        METHOD,
        VERSION,
        TARGET,
        FIELDS,
        BODY,
        TRAILERS
    }

    /**
     * Compares both readers. Later minor versions are replaced by HTTP/1.1: the gateway reads them so (RFC 9110 section 2.5), while Netty's
     * decoder then knows no transfer codings. White space between the value of a chunk extension and the next semicolon is removed: it is in the
     * grammar (RFC 9112 section 7.1.1), and Netty's decoder refuses it.
     */
    static List<DecoderDifference> between(byte[] bytes) {
        byte[] input = new String(bytes, ISO_8859_1)
                .replaceAll("HTTP/1\\.[2-9]\r\n", "HTTP/1.1\r\n")
                .replaceAll("(=[\t ]*[!#$%&'*+.^_`|~0-9A-Za-z-]+)[\t ]+(?=;)", "$1")
                .getBytes(ISO_8859_1);
        ReadRequest.Connection ours = ReadRequest.ours(input);
        ReadRequest.Connection nettys = ReadRequest.nettys(input);
        List<DecoderDifference> all = new ArrayList<>();
        int most = Math.max(ours.requests().size(), nettys.requests().size());
        for (int i = 0; i < most; i++) {
            ReadRequest one = i < ours.requests().size() ? ours.requests().get(i) : null;
            ReadRequest other = i < nettys.requests().size() ? nettys.requests().get(i) : null;
            if (one == null && ours.refused()) {
                break; // the gateway forwards nothing that follows
            }
            compare(one, other, all);
            if (one == null || other == null) {
                break;
            }
        }
        return all;
    }

    private static void compare(@Nullable ReadRequest one, @Nullable ReadRequest other, List<DecoderDifference> all) {
        if (one == null || other == null) {
            all.add(new DecoderDifference(What.WHETHER, one, other));
            return;
        }
        add(What.METHOD, one.method(), other.method(), one, other, all);
        add(What.VERSION, one.version(), other.version(), one, other, all);
        add(What.TARGET, one.target(), other.target(), one, other, all);
        add(What.FIELDS, one.fields(), other.fields(), one, other, all);
        add(What.BODY, one.body(), other.body(), one, other, all);
        add(What.TRAILERS, one.trailers(), other.trailers(), one, other, all);
    }

    private static void add(
            What subject, Object mine, Object theirs, ReadRequest one, ReadRequest other, List<DecoderDifference> all) {
        if (!mine.equals(theirs)) {
            all.add(new DecoderDifference(subject, one, other));
        }
    }
}
