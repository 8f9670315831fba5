package dev.postern.load.dribble;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.handler.codec.http2.Http2FrameTypes;
import java.lang.reflect.Field;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that no type of frame is forgotten, in either direction. */
class FrameKindTest {

    static Stream<List<FrameKind>> directions() {
        return Stream.of(FrameKind.ofClient(), FrameKind.ofUpstream());
    }

    @ParameterizedTest
    @MethodSource("directions")
    void everyTypeIsRepeated(List<FrameKind> kinds) throws ReflectiveOperationException {
        Set<Integer> repeated = new TreeSet<>();
        for (FrameKind kind : kinds) {
            repeated.addAll(types(kind.unit().apply(1)));
        }
        Set<Integer> known = new TreeSet<>();
        for (Field field : Http2FrameTypes.class.getFields()) {
            known.add((int) field.getByte(null));
        }
        assertThat(known).hasSizeGreaterThanOrEqualTo(10);
        assertThat(repeated).containsAll(known).as("an unknown one").hasSizeGreaterThan(known.size());
    }

    @ParameterizedTest
    @MethodSource("directions")
    void namesDiffer(List<FrameKind> kinds) {
        assertThat(kinds).extracting(FrameKind::name).doesNotHaveDuplicates();
    }

    private static Set<Integer> types(byte[] frames) {
        Set<Integer> types = new TreeSet<>();
        for (int at = 0; at < frames.length; at += 9 + length(frames, at)) {
            types.add((int) frames[at + 3]);
        }
        return types;
    }

    private static int length(byte[] frames, int at) {
        return (frames[at] & 0xff) << 16 | (frames[at + 1] & 0xff) << 8 | (frames[at + 2] & 0xff);
    }
}
