package dev.postern.core.http1.codec;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.http.HttpParseException;
import dev.postern.core.http.RequestHead;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BodyDecoderTest {

    private static final String REFUSED = "refused";

    /** Decodes byte by byte; returns the data, or what happened instead. */
    private static String decode(BodyDecoder decoder, String chunks) {
        StringBuilder data = new StringBuilder();
        decoder.begin(RequestHead.CHUNKED);
        try {
            for (byte b : chunks.getBytes(ISO_8859_1)) {
                ByteBuf piece = decoder.next(Unpooled.wrappedBuffer(new byte[] {b}));
                if (piece != null) {
                    data.append(piece.toString(ISO_8859_1));
                }
            }
        } catch (HttpParseException fault) {
            return REFUSED;
        }
        return decoder.done() ? data.toString() : "incomplete";
    }

    private static String text(String spelling) {
        return spelling.replace("~", "\r\n").replace("{TAB}", "\t").replace("{LF}", "\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "2~ok~0~~",
                "02~ok~000~~",
                "2;a=b~ok~0;e~~",
                "2; a = b ;c=\"d;\\\"e\"~ok~0~~",
                "2;a{TAB};b~ok~0~~",
            })
    void acceptsTheGrammarFromBothSides(String chunks) {
        assertThat(decode(new BodyDecoder(), text(chunks))).isEqualTo("ok");
        assertThat(decode(BodyDecoder.ofResponses(), text(chunks))).isEqualTo("ok");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "2 ~ok~0~~",
                "2{TAB}{TAB} ~ok~0~~",
                "2~ok~0 ~~",
                "2 ;a=b~ok~0~~",
                "2{TAB};a~ok~0~~",
                "2 ; ~ok~0~~",
                "2;~ok~0~~",
                "2;a=b ~ok~0~~",
                "2;a=~ok~0~~",
                "2;;;~ok~0~~",
                "2;=@(~ok~0~~",
                "2;a=\"b\"c~ok~0~~",
                "2;\"\"~ok~0~~",
                "0000000000000002~ok~0~~",
                "00000000000000000000000000000002~ok~0~~",
            })
    void acceptsSpellingsOfServersInResponsesOnly(String chunks) {
        assertThat(decode(BodyDecoder.ofResponses(), text(chunks))).isEqualTo("ok");
        assertThat(decode(new BodyDecoder(), text(chunks))).isEqualTo(REFUSED);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "2 2~ok~0~~",
                "2 a=b~ok~0~~",
                " 2~ok~0~~",
                "{TAB}2~ok~0~~",
                "2,~ok~0~~",
                "2{LF}ok~0~~",
                "2 {LF}ok~0~~",
                "2;a{LF}ok~0~~",
                "2~ok{LF}0~~",
                "2;a=\"~ok~0~~",
                "2;a=\"b\\\"~ok~0~~",
                "2;a=\u00e9~ok~0~~",
                "2;a=\u0001~ok~0~~",
                "~ok~0~~",
                "0x2~ok~0~~",
                "-2~ok~0~~",
                "1000000000000000~ok~0~~",
                "000000000000000000000000000000002~ok~0~~",
            })
    void refusesWhatHasTwoMeaningsFromBothSides(String chunks) {
        assertThat(decode(BodyDecoder.ofResponses(), text(chunks))).isEqualTo(REFUSED);
        assertThat(decode(new BodyDecoder(), text(chunks))).isEqualTo(REFUSED);
    }

    @ParameterizedTest
    @ValueSource(strings = {" ", ";", "; ", ";a"})
    void boundsTheLineOfAResponse(String padding) {
        assertThat(decode(BodyDecoder.ofResponses(), "2" + padding.repeat(5000) + "\r\nok\r\n0\r\n\r\n"))
                .isEqualTo(REFUSED);
    }

    /** Returns the pieces that one buffer brings. */
    private static List<String> pieces(BodyDecoder decoder, String chunks) {
        List<String> pieces = new ArrayList<>();
        decoder.begin(RequestHead.CHUNKED);
        ByteBuf in = Unpooled.wrappedBuffer(chunks.getBytes(ISO_8859_1));
        try {
            while (in.isReadable() && !decoder.done()) {
                ByteBuf piece = decoder.next(in);
                if (piece != null) {
                    pieces.add(piece.toString(ISO_8859_1));
                    piece.release();
                }
            }
        } catch (HttpParseException fault) {
            pieces.add(REFUSED);
        }
        return pieces;
    }

    @Test
    void joinsSmallChunksOfOneBuffer() {
        String large = "x".repeat(2000);

        assertThat(pieces(new BodyDecoder(), text("1~a~2;e~bc~03~def~0~~"))).containsExactly("abcdef");
        assertThat(pieces(new BodyDecoder(), text("1~a~1~b~7d0~" + large + "~1~c~1~d~0~T: v~~")))
                .containsExactly("ab", large, "cd");
        assertThat(pieces(new BodyDecoder(), text("1~a~7d0~xxx"))).containsExactly("axxx");
        assertThat(pieces(new BodyDecoder(), text("1~a~0~~"))).containsExactly("a");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1~a~1~b~Z",
                "1~a~1~b~1~cc",
                "1~a~1~b~1{LF}c",
                "1~a~1~b~~",
                "1~a~1~b~0123456789abcdef~",
                "1~a~1~b~1;{LF}"
            })
    void returnsTheDataBeforeAFault(String chunks) {
        List<String> pieces = pieces(new BodyDecoder(), text(chunks));

        assertThat(pieces).endsWith(REFUSED);
        assertThat(String.join("", pieces)).startsWith("ab");
    }

    @Test
    void decodesAfterAFault() {
        BodyDecoder decoder = new BodyDecoder();
        assertThat(pieces(decoder, text("1~a~1~b~Z"))).endsWith(REFUSED);

        assertThat(pieces(decoder, text("1~c~0~~"))).containsExactly("c");
    }

    @Test
    void buffersMayEndAnywhere() {
        String chunks = text("1~a~2;e=\"x\"~bc~0003~def~400~" + "y".repeat(1024) + "~1~g~0~T: v~~");
        String expected = "abcdef" + "y".repeat(1024) + "g";
        for (int cut = 1; cut < chunks.length(); cut++) {
            BodyDecoder decoder = new BodyDecoder();
            String first = String.join("", pieces(decoder, chunks.substring(0, cut)));
            ByteBuf rest = Unpooled.wrappedBuffer(chunks.substring(cut).getBytes(ISO_8859_1));
            StringBuilder all = new StringBuilder(first);
            while (rest.isReadable() && !decoder.done()) {
                ByteBuf piece = decoder.next(rest);
                if (piece != null) {
                    all.append(piece.toString(ISO_8859_1));
                    piece.release();
                }
            }
            assertThat(all).as("cut at %d", cut).hasToString(expected);
            assertThat(decoder.done()).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"1~a~0~~", "0~~", "1~a~2~bc~0~T: v~U: w~~"})
    void leavesTheNextMessageInTheBuffer(String chunks) {
        BodyDecoder decoder = new BodyDecoder();
        decoder.begin(RequestHead.CHUNKED);
        ByteBuf in = Unpooled.wrappedBuffer(text(chunks + "GET / HTTP/1.1~").getBytes(ISO_8859_1));

        while (!decoder.done()) {
            ByteBuf piece = decoder.next(in);
            if (piece != null) {
                piece.release();
            }
        }

        assertThat(in.toString(ISO_8859_1)).isEqualTo(text("GET / HTTP/1.1~"));
    }

    @Test
    void boundsTheNumberOfTrailers() {
        assertThat(decode(new BodyDecoder(), text("1~a~0~" + "T: v~".repeat(256) + "~")))
                .isEqualTo("a");
        assertThat(decode(new BodyDecoder(), text("1~a~0~" + "T: v~".repeat(257) + "~")))
                .isEqualTo(REFUSED);
        assertThat(decode(BodyDecoder.ofResponses(), text("1~a~0~" + "T: v~".repeat(257) + "~")))
                .isEqualTo(REFUSED);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "A", "f", "F", "9", "0a", "1f", "C3"})
    void readsTheSizeInEitherCase(String size) {
        String data = "x".repeat(Integer.parseInt(size, 16));

        assertThat(decode(new BodyDecoder(), text(size + "~" + data + "~0~~"))).isEqualTo(data);
    }
}
