package dev.postern.core.capsule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.postern.core.testing.LeakExtension;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(LeakExtension.class)
class CapsuleDecoderTest {

    private static final HexFormat HEX = HexFormat.of();

    private static StrictCapsules decode(String hex) {
        return DecodedCapsules.of(List.of(HEX.parseHex(hex.replace(" ", ""))));
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            value = {
                "00 04 00 616263                      | payload 616263",
                "00 01 00                             | payload",
                "4000 4004 4000 6162                  | payload 6162", // integers longer than needed
                "c000000000000000 80000009 c000000000000000 61 | payload 61",
                "00 03 02 6162                        | unknown",
                "00 01 3f                             | unknown",
                "17 03 616263 00 02 00 64             | payload 64",
                "3f ff 000002 0064                    | incomplete", // a length of eight bytes
                "7fff 00 00 02 00 64                  | payload 64",
                "ffffffffffffffff 02 6162 00 02 00 64 | payload 64",
                "00 00                                | malformed",
                "00 01 40                             | malformed", // identifier longer than its capsule
                "00 03 80 0000                        | malformed",
                "00 800ffffb 00                       | malformed", // 1,048,570 bytes
                "00 8000fff9 00                       | malformed", // payload of 65,528 bytes
                "00 bfffffff 01 6162                  | unknown, incomplete",
                "00 ffffffffffffffff 00               | malformed",
                "21 ffffffffffffffff 6162             | incomplete",
                "00 8000fff8 00                       | incomplete", // payload of 65,527 bytes begins
                "00                                   | incomplete",
                "40                                   | incomplete",
                "00 05 00 6162                        | incomplete",
            })
    void decodesByTheGrammar(String hex, String expected) {
        StrictCapsules decoded = decode(hex);

        List<String> words = new ArrayList<>();
        decoded.events().forEach(event -> words.add(event.trim()));
        if (decoded.malformed()) {
            words.add("malformed");
        } else if (!decoded.complete()) {
            words.add("incomplete");
        }
        assertThat(String.join(", ", words)).isEqualTo(expected);
        assertThat(StrictCapsules.read(HEX.parseHex(hex.replace(" ", "")))).isEqualTo(decoded);
    }

    /** Listener that closes its decoder with the first payload. */
    private static final class ClosingListener implements CapsuleDecoder.Listener {

        private final CapsuleDecoder decoder = new CapsuleDecoder(PooledByteBufAllocator.DEFAULT, this);
        private int payloads;

        @Override
        public void payload(ByteBuf in, int index, int length) {
            payloads++;
            decoder.close();
        }

        @Override
        public void unknownContext() {}
    }

    @ParameterizedTest
    @ValueSource(strings = {"00020061", "4000020061"})
    void nothingFollowsACloseByTheListener(String capsule) {
        ClosingListener listener = new ClosingListener();
        ByteBuf in = Unpooled.wrappedBuffer(HEX.parseHex(capsule.repeat(3)));
        assertThat(listener.decoder.decode(in)).isFalse();
        assertThat(listener.payloads).isEqualTo(1);
        in.release();
    }

    @Test
    void decodesTheSameSplitAtEveryByte() {
        byte[] stream =
                HEX.parseHex("0004006162634000400240002103616263" + "000302ffff" + "000100" + "0005006465" + "6667");
        StrictCapsules whole = DecodedCapsules.of(List.of(stream));
        assertThat(whole.events()).hasSize(5);
        for (int split = 1; split < stream.length; split++) {
            byte[] head = Arrays.copyOf(stream, split);
            byte[] tail = Arrays.copyOfRange(stream, split, stream.length);
            assertThat(DecodedCapsules.of(List.of(head, tail))).isEqualTo(whole);
        }
        List<byte[]> single = new ArrayList<>();
        for (byte octet : stream) {
            single.add(new byte[] {octet});
        }
        assertThat(DecodedCapsules.of(single)).isEqualTo(whole);
    }

    @Test
    void decodesRandomStreamsAsTheGrammarDoes() {
        SplittableRandom random = new SplittableRandom(9297);
        int malformed = 0;
        for (int i = 0; i < 20_000; i++) {
            byte[] stream = stream(random);
            StrictCapsules expected = StrictCapsules.read(stream);
            int split = random.nextInt(stream.length + 1);
            List<byte[]> pieces =
                    List.of(Arrays.copyOf(stream, split), Arrays.copyOfRange(stream, split, stream.length));
            assertThat(DecodedCapsules.of(pieces))
                    .as("%s", HEX.formatHex(stream))
                    .isEqualTo(expected);
            malformed += expected.malformed() ? 1 : 0;
        }
        assertThat(malformed).isBetween(1_000, 19_000);
    }

    /** Returns capsules of random types, lengths and spellings; some with a wrong byte. */
    private static byte[] stream(SplittableRandom random) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        int capsules = random.nextInt(1, 6);
        for (int i = 0; i < capsules; i++) {
            integer(random, random.nextInt(4) == 0 ? random.nextInt(1, 70_000) : 0, out);
            int length = random.nextInt(20);
            integer(random, length, out);
            byte[] value = new byte[length];
            random.nextBytes(value);
            if (length > 0) {
                value[0] = random.nextInt(8) == 0 ? value[0] : 0;
            }
            out.writeBytes(value);
        }
        byte[] stream = out.toByteArray();
        if (random.nextInt(3) == 0) {
            stream[random.nextInt(stream.length)] = (byte) random.nextInt(256);
        }
        return stream;
    }

    private static void integer(SplittableRandom random, int value, ByteArrayOutputStream out) {
        int least = value < 0x40 ? 0 : value < 0x4000 ? 1 : 2;
        int power = random.nextInt(least, 4);
        int size = 1 << power;
        for (int i = size - 1; i >= 0; i--) {
            int octet = i > 3 ? 0 : value >> 8 * i & 0xff;
            out.write(i == size - 1 ? octet | power << 6 : octet);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 61, 62, 63, 64, 1_200, 16_381, 16_382, 16_383, 65_507, 65_527})
    void decodesWhatItWrites(int length) {
        byte[] bytes = new byte[length];
        new SplittableRandom(length).nextBytes(bytes);
        ByteBuf payload = Unpooled.wrappedBuffer(bytes);
        ByteBuf capsule = Unpooled.buffer();

        DatagramCapsule.write(payload, capsule);

        assertThat(payload.readableBytes()).isEqualTo(length);
        assertThat(capsule.readableBytes() - length).isLessThanOrEqualTo(DatagramCapsule.MAX_OVERHEAD);
        assertThat(DecodedCapsules.of(List.of(ByteBufUtil.getBytes(capsule))))
                .isEqualTo(new StrictCapsules(List.of("payload " + HEX.formatHex(bytes)), false, true));
    }

    @Test
    void holdsNoBytesOfASkippedCapsule() {
        CapsuleDecoder decoder = new CapsuleDecoder(PooledByteBufAllocator.DEFAULT, new Unexpected());
        ByteBuf head = Unpooled.wrappedBuffer(HEX.parseHex("21c00000ffffffffff"));
        assertThat(decoder.decode(head)).isTrue();
        ByteBuf filler = Unpooled.wrappedBuffer(new byte[1 << 16]);
        for (int i = 0; i < 1_000; i++) {
            filler.readerIndex(0);
            assertThat(decoder.decode(filler)).isTrue();
            assertThat(filler.refCnt()).isEqualTo(1);
            assertThat(filler.isReadable()).isFalse();
        }
        assertThat(decoder.complete()).isFalse();
    }

    @Test
    void releasesAnIncompletePayload() {
        CapsuleDecoder decoder = new CapsuleDecoder(PooledByteBufAllocator.DEFAULT, new Unexpected());
        decoder.decode(Unpooled.wrappedBuffer(HEX.parseHex("000a006162")));
        decoder.close();
        assertThat(decoder.decode(Unpooled.wrappedBuffer(new byte[10]))).isFalse();
    }

    @Test
    void refusesIntegersBeyondFourBytes() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> VariableLengthInteger.write(1 << 30, Unpooled.buffer()))
                .withMessage("integer: 1073741824 (expected: 0..1073741823)");
    }

    /** Listener that nothing may reach. */
    private static final class Unexpected implements CapsuleDecoder.Listener {

        @Override
        public void payload(ByteBuf in, int index, int length) {
            throw new AssertionError("a payload");
        }

        @Override
        public void unknownContext() {
            throw new AssertionError("a datagram");
        }
    }
}
