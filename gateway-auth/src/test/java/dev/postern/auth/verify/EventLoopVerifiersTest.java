package dev.postern.auth.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.auth.key.RsaKey;
import io.netty.channel.embedded.EmbeddedChannel;
import java.math.BigInteger;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class EventLoopVerifiersTest {

    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final EventLoopVerifiers verifiers =
            new EventLoopVerifiers(SignatureProvider.named(SignatureProvider.PLATFORM));
    private final Random random = new Random(64);

    @AfterEach
    void close() {
        channel.finishAndReleaseAll();
    }

    @Test
    void createsOneCheckPerKey() {
        RsaKey key = key();

        assertThat(verifiers.get(channel.eventLoop(), key)).isSameAs(verifiers.get(channel.eventLoop(), key));
        assertThat(verifiers.size()).isEqualTo(1);
    }

    @Test
    void keepsTheMostRecentlyUsedKeys() {
        RsaKey used = key();
        SignatureCheck first = verifiers.get(channel.eventLoop(), used);
        for (int i = 0; i < 200; i++) {
            verifiers.get(channel.eventLoop(), key());
            assertThat(verifiers.get(channel.eventLoop(), used)).isSameAs(first);
        }

        assertThat(verifiers.size()).isEqualTo(64);
    }

    /** Creates a key with any odd number of 2048 bits, since nothing is verified with it. */
    private RsaKey key() {
        return RsaKey.of(new BigInteger(2048, random).setBit(2047).setBit(0));
    }
}
