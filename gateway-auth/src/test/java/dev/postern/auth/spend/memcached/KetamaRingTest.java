package dev.postern.auth.spend.memcached;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.spy.memcached.DefaultConnectionFactory;
import net.spy.memcached.DefaultHashAlgorithm;
import net.spy.memcached.KetamaNodeLocator;
import net.spy.memcached.MemcachedNode;
import net.spy.memcached.util.KetamaNodeLocatorConfiguration;
import org.junit.jupiter.api.Test;

class KetamaRingTest {

    private static final List<String> SERVERS = List.of("10.0.0.1:11211", "10.0.0.2:11211", "10.0.0.3:11211");

    @Test
    void placesKeysLikeKetama() throws IOException {
        KetamaRing ring = new KetamaRing(SERVERS);
        KetamaNodeLocator locator = libraryLocator();
        for (int i = 0; i < 10_000; i++) {
            String key = "shop:1:" + i;

            String owner = SERVERS.get(ring.owner(bytes(key)));

            assertThat("/" + owner)
                    .isEqualTo(locator.getPrimary(key).getSocketAddress().toString());
        }
    }

    /** The text of a point has the same hash as a key with that text. */
    @Test
    void placesAKeyOnAPointAtTheServerOfThePoint() {
        KetamaRing ring = new KetamaRing(SERVERS);
        for (int server = 0; server < SERVERS.size(); server++) {
            for (int i = 0; i < 40; i++) {
                assertThat(ring.owner(bytes(SERVERS.get(server) + "-" + i))).isEqualTo(server);
            }
        }
    }

    @Test
    void movesOnlyTheKeysOfARemovedServer() {
        KetamaRing three = new KetamaRing(SERVERS);
        KetamaRing two = new KetamaRing(SERVERS.subList(0, 2));
        int[] kept = new int[3];
        for (int i = 0; i < 10_000; i++) {
            byte[] key = bytes("shop:1:" + i);
            int owner = three.owner(key);
            kept[owner]++;
            if (owner < 2) {
                assertThat(two.owner(key)).isEqualTo(owner);
            }
        }

        assertThat(Arrays.stream(kept).boxed())
                .allSatisfy(count -> assertThat(count).isBetween(2_000, 5_000));
    }

    private static KetamaNodeLocator libraryLocator() throws IOException {
        List<MemcachedNode> nodes = new ArrayList<>();
        Map<MemcachedNode, String> names = new HashMap<>();
        for (String server : SERVERS) {
            String host = server.substring(0, server.indexOf(':'));
            try (SocketChannel channel = SocketChannel.open()) {
                MemcachedNode node = new DefaultConnectionFactory()
                        .createMemcachedNode(new InetSocketAddress(host, 11211), channel, 64);
                nodes.add(node);
                names.put(node, server);
            }
        }
        return new KetamaNodeLocator(
                nodes, DefaultHashAlgorithm.KETAMA_HASH, new HashMap<>(), new KetamaNodeLocatorConfiguration() {
                    @Override
                    public String getKeyForNode(MemcachedNode node, int repetition) {
                        return names.get(node) + "-" + repetition;
                    }

                    @Override
                    public int getNodeRepetitions() {
                        return 160;
                    }
                });
    }

    private static byte[] bytes(String text) {
        return text.getBytes(ISO_8859_1);
    }
}
