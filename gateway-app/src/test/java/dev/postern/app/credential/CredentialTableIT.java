package dev.postern.app.credential;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.testing.MemcachedExtension;
import dev.postern.core.testing.RawClient;
import java.io.IOException;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Sends the complete table in every request form to a running gateway. */
@Tag("long")
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
                .flatMap(row -> Stream.of(RequestForm.values()).map(form -> Arguments.of(row, form)));
    }

    @ParameterizedTest(name = "{0}, {1}")
    @MethodSource("everywhere")
    void respondsByTheRuleAndAcceptsTheValidTokenOnce(Row row, RequestForm form) throws InterruptedException {
        try {
            visit(row, form);
        } catch (AssertionError e) {
            // Reports contain only the number of a row.
            throw new AssertionError(row + ", " + form + ": " + e.getMessage(), e);
        }
    }

    private static void visit(Row row, RequestForm form) throws InterruptedException {
        Material material = gateway.material(form);
        String good = material.lineOf(material.text());
        String fields = row.fields().apply(material);
        if (row.token() == Row.Fate.SPENT_BEFORE) {
            once(form, good, ExpectedResponse.GOOD);
        }
        try (RawClient client = gateway.client(form)) {
            ask(client, form, fields, row.expected());
            boolean usable = row.expected().open() && !tunnels(form, row.expected());
            if (usable) {
                ask(client, form, good, expectedAfter(row));
            } else {
                assertThat(row.expected().good() || client.closedByPeer())
                        .as("closed")
                        .isTrue();
                once(form, good, expectedAfter(row));
            }
        }
        once(form, good, ExpectedResponse.SPENT);
        if (row.expected().good()) {
            once(form, fields, ExpectedResponse.SPENT);
        }
    }

    /** Returns the response to the valid token when it is first sent after the row's credential. */
    private static ExpectedResponse expectedAfter(Row row) {
        return row.token() == Row.Fate.KEPT ? ExpectedResponse.GOOD : ExpectedResponse.SPENT;
    }

    private static void once(RequestForm form, String fields, ExpectedResponse expected) throws InterruptedException {
        try (RawClient client = gateway.client(form)) {
            ask(client, form, fields, expected);
        }
    }

    private static void ask(RawClient client, RequestForm form, String fields, ExpectedResponse expected)
            throws InterruptedException {
        RawClient.Response response = gateway.ask(client, form, fields, expected);
        if (expected.good()) {
            RawClient.Response served = tunnels(form, expected) ? client.get("/inside") : response;
            assertThat(served.body()).isEqualTo("hello");
            assertThat(gateway.received().field(form.field()))
                    .as("token at the origin")
                    .isEmpty();
        }
    }

    private static boolean tunnels(RequestForm form, ExpectedResponse expected) {
        return form == RequestForm.CONNECT && expected.good();
    }
}
