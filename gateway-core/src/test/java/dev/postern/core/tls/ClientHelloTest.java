package dev.postern.core.tls;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.testing.ServerNames;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.buffer.UnpooledHeapByteBuf;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClientHelloTest {

    private static @Nullable ClientHello read(byte[] bytes) {
        ByteBuf in = Unpooled.wrappedBuffer(bytes);
        ClientHello hello = ClientHello.read(in);
        assertThat(in.readableBytes()).as("consumes nothing").isEqualTo(bytes.length);
        return hello;
    }

    private static byte[] hello(String name) {
        return ServerNames.hello(name.getBytes(ISO_8859_1));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a.example",
                "my_app.test",
                "x.",
                "-x",
                "x-",
                "h:443",
                "A.Example",
                "127.0.0.1",
                "b\u00fccher",
                "\u0000",
                " "
            })
    void readsTheNameAsItIs(String name) {
        assertThat(read(hello(name))).isEqualTo(new ClientHello(name));
        assertThat(read(hello(name.repeat(300)))).isEqualTo(new ClientHello(name.repeat(300)));
    }

    @Test
    void readsAHelloWithoutAName() {
        assertThat(read(ServerNames.hello())).isEqualTo(new ClientHello(null));
    }

    @Test
    void readsAHelloInPieces() {
        byte[] hello = hello("my_app.test");
        for (int length = 0; length < hello.length; length++) {
            assertThat(read(Arrays.copyOf(hello, length)))
                    .as("%d bytes", length)
                    .isNull();
        }
        assertThat(read(Arrays.copyOf(hello, hello.length + 9))).isEqualTo(new ClientHello("my_app.test"));
    }

    @Test
    void copiesNothingBeforeTheHelloIsThere() {
        byte[] hello = ServerNames.records(hello("x".repeat(5000)), 1, 2000);
        AtomicInteger copies = new AtomicInteger();
        ByteBuf in = new UnpooledHeapByteBuf(UnpooledByteBufAllocator.DEFAULT, hello.length, hello.length) {
            @Override
            public ByteBuf getBytes(int index, byte[] target, int offset, int length) {
                copies.incrementAndGet();
                return super.getBytes(index, target, offset, length);
            }
        };
        for (byte one : hello) {
            assertThat(copies).hasValue(0);
            in.writeByte(one);
            ClientHello.read(in);
        }
        assertThat(copies).as("one for each record").hasValue(3);
        in.release();
    }

    @Test
    void readsAHelloOfSeveralRecords() {
        byte[] hello = hello("my_app.test");
        for (int first : List.of(1, 3, 4, 5, 40, hello.length - 6)) {
            byte[] two = ServerNames.records(hello, first);
            assertThat(read(two)).as("%d bytes first", first).isEqualTo(new ClientHello("my_app.test"));
            assertThat(read(Arrays.copyOf(two, two.length - 1))).isNull();
        }
        assertThat(read(ServerNames.records(hello, 1, 1, 1, 1, 1, 1, 1))).isEqualTo(new ClientHello("my_app.test"));
    }

    @Test
    void leavesAHelloOfManyPiecesToTheEngine() {
        int[] ones = new int[40];
        Arrays.fill(ones, 1);
        assertThat(read(ServerNames.records(hello("a.example"), ones))).isEqualTo(new ClientHello(null));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "150303ffff",
                "160303000401ffffff",
                "16030300020200",
                "1603030000",
                "16030342000100000000",
                "140303000101",
                "800001",
                "00",
                "16030300040100000000",
                "1603030005010000010303"
            })
    void leavesOtherBytesToTheEngine(String hex) {
        assertThat(read(HexFormat.of().parseHex(hex))).isEqualTo(new ClientHello(null));
    }

    @Test
    void endsForChangedHellos() {
        Random random = new Random(41);
        byte[] hello = hello("a.example");
        List<ClientHello> read = new ArrayList<>();
        for (int i = 0; i < 20_000; i++) {
            byte[] changed = hello.clone();
            for (int change = 0; change <= random.nextInt(4); change++) {
                changed[random.nextInt(hello.length)] = (byte) random.nextInt(256);
            }
            @Nullable ClientHello found = read(Arrays.copyOf(changed, random.nextInt(hello.length) + 1));
            if (found != null) {
                read.add(found);
            }
        }
        assertThat(read).isNotEmpty();
    }
}
