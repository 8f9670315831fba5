package dev.postern.app.credential;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.testing.MemcachedExtension;
import dev.postern.core.testing.RawClient;
import java.io.IOException;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The whole table through every door of a running gateway. */
class CredentialTableIT {

    @RegisterExtension
    static final MemcachedExtension MEMCACHED = new MemcachedExtension();

    @TempDir
    static Path folder;

    private static CredentialGateway gateway;

    @BeforeAll
    static void start() throws IOException {
        gateway = new CredentialGateway(folder, MEMCACHED.address());
        gateway.retireKey();
    }

    @AfterAll
    static void stop() {
        try (CredentialGateway last = gateway) {
            last.readLog();
        }
    }

    static Stream<Arguments> everywhere() {
        return CredentialTable.rows().stream()
                .flatMap(row -> Stream.of(Door.values()).map(door -> Arguments.of(row, door)));
    }

    @ParameterizedTest(name = "{0}, {1}")
    @MethodSource("everywhere")
    void isRespondedToAsTheRuleSaysAndTheGoodTokenPassesOnce(Row row, Door door) throws InterruptedException {
        try {
            visit(row, door);
        } catch (AssertionError e) {
            // Reports know the number of a row only.
            throw new AssertionError(row + ", " + door + ": " + e.getMessage(), e);
        }
    }

    private static void visit(Row row, Door door) throws InterruptedException {
        Material material = gateway.material(door);
        String good = material.lineOf(material.text());
        String fields = row.fields().apply(material);
        if (row.token() == Row.Fate.SPENT_BEFORE) {
            once(door, good, Expected.GOOD);
        }
        try (RawClient client = gateway.client(door)) {
            ask(client, door, fields, row.expected());
            boolean usable = row.expected().open() && !tunnels(door, row.expected());
            if (usable) {
                ask(client, door, good, after(row));
            } else {
                assertThat(row.expected().good() || client.closedByPeer())
                        .as("closed")
                        .isTrue();
                once(door, good, after(row));
            }
        }
        once(door, good, Expected.SPENT);
        if (row.expected().good()) {
            once(door, fields, Expected.SPENT);
        }
    }

    /** What the good token gets, the first time that it is sent after the odd credential. */
    private static Expected after(Row row) {
        return row.token() == Row.Fate.KEPT ? Expected.GOOD : Expected.SPENT;
    }

    private static void once(Door door, String fields, Expected expected) throws InterruptedException {
        try (RawClient client = gateway.client(door)) {
            ask(client, door, fields, expected);
        }
    }

    private static void ask(RawClient client, Door door, String fields, Expected expected) throws InterruptedException {
        RawClient.Response response = gateway.ask(client, door, fields, expected);
        if (expected.good()) {
            RawClient.Response served = tunnels(door, expected) ? client.get("/inside") : response;
            assertThat(served.body()).isEqualTo("hello");
            assertThat(gateway.received().field(door.field()))
                    .as("token at the origin")
                    .isEmpty();
        }
    }

    private static boolean tunnels(Door door, Expected expected) {
        return door == Door.CONNECT && expected.good();
    }
}
