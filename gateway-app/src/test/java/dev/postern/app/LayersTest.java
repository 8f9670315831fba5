package dev.postern.app;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noFields;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import dev.postern.core.dns.NameServers;
import dev.postern.core.exchange.ClientConnection;
import io.netty.channel.EventLoop;
import io.netty.resolver.dns.DnsAddressResolverGroup;
import io.netty.resolver.dns.DnsNameResolverBuilder;
import io.netty.resolver.dns.DnsServerAddressStreamProvider;
import io.netty.util.Version;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import javax.net.ssl.KeyManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the rules for modules and packages; the layers are defined in docs/architecture.md. */
@AnalyzeClasses(
        packages = "dev.postern",
        importOptions = {ImportOption.DoNotIncludeTests.class, LayersTest.NoTestJars.class})
class LayersTest {

    static final class NoTestJars implements ImportOption {
        @Override
        public boolean includes(Location location) {
            return !location.contains("-tests.jar") && !location.contains("/test-classes");
        }
    }

    private static final String CORE = "dev.postern.core..";
    private static final String SPI = "dev.postern.core.spi";
    private static final String AUTH = "dev.postern.auth..";
    private static final String RATE_LIMIT = "dev.postern.ratelimit..";
    private static final String APP = "dev.postern.app..";

    private static final Set<String> PUBLIC_FOR_OTHERS = Set.of(
            "dev.postern.app.cli.Main", // the main class
            "dev.postern.auth.rsa.BlindRsa", // loaded by ServiceLoader
            "dev.postern.auth.voprf.VoprfP384",
            "dev.postern.core.http1.client.ResponseHeadParser", // the fuzz target is in the package of the server
            "dev.postern.core.pipeline.StageChain"); // tests of other modules run their stages in it

    /** Otherwise a resolver may ignore truncated responses, or the configured servers. */
    @ArchTest
    static final ArchRule allLookUpsQueryTheSameServersInTheSameWay = noClasses()
            .that()
            .doNotBelongToAnyOf(NameServers.class)
            .should()
            .callConstructor(DnsNameResolverBuilder.class)
            .orShould()
            .callConstructor(DnsNameResolverBuilder.class, EventLoop.class)
            .orShould()
            .callConstructor(DnsAddressResolverGroup.class, Class.class, DnsServerAddressStreamProvider.class);

    @ArchTest
    static final ArchRule coreHasNoOpinionWhoMayPass = noClasses()
            .that()
            .resideInAPackage(CORE)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    AUTH,
                    RATE_LIMIT,
                    APP,
                    "net.spy..",
                    "io.lettuce..",
                    "org.bouncycastle..",
                    "com.amazon.corretto..",
                    "tools.jackson..",
                    "picocli..",
                    "org.apache.logging..");

    @ArchTest
    static final ArchRule packagesFormNoCycles =
            slices().matching("dev.postern.(**)").should().beFreeOfCycles();

    /**
     * Tests that each package uses only packages of its own or lower layers, by the table of docs/architecture.md, which lists all packages.
     */
    @ArchTest
    static void packagesUseNoHigherLayer(JavaClasses classes) {
        LayerTable table = LayerTable.read();
        Set<String> wrong = new TreeSet<>();
        Set<String> packages = new TreeSet<>();
        for (JavaClass type : classes) {
            packages.add(type.getPackageName());
            for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
                table.violation(
                                type.getPackageName(),
                                dependency
                                        .getTargetClass()
                                        .getBaseComponentType()
                                        .getPackageName())
                        .ifPresent(violation -> wrong.add(violation + ": " + dependency.getDescription()));
            }
        }

        assertThat(wrong).isEmpty();
        assertThat(table.packages()).containsExactlyInAnyOrderElementsOf(packages);
    }

    /** The extension API, which depends on nothing that a later version may change. */
    @ArchTest
    static final ArchRule extensionInterfacesUseTheJdkAlone = classes()
            .that()
            .resideInAPackage(SPI)
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(SPI, "java..", "org.jspecify.annotations..");

    /** Tests that types used by no other package are package-private; all packages except {@code spi} and the entry points are internal. */
    @ArchTest
    static void publicTypesAreUsedByOtherPackages(JavaClasses classes) {
        Set<String> unused = new TreeSet<>();
        for (JavaClass type : classes) {
            if (type.isTopLevelClass()
                    && type.getModifiers().contains(JavaModifier.PUBLIC)
                    && !type.getPackageName().equals(SPI)
                    && !type.getPackageName().startsWith("dev.postern.load")) {
                unused.add(type.getName());
            }
        }
        for (JavaClass type : classes) {
            for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
                JavaClass target = dependency.getTargetClass().getBaseComponentType();
                if (!target.getPackageName().equals(type.getPackageName())) {
                    unused.remove(target.getName().split("\\$")[0]);
                }
            }
        }

        assertThat(unused).containsExactlyInAnyOrderElementsOf(PUBLIC_FOR_OTHERS);
    }

    @ArchTest
    static final ArchRule coreDoesNotUseTheHttpObjectsOfNetty = noClasses()
            .that()
            .resideInAPackage(CORE)
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.netty.handler.codec.http..");

    /** A connection without TLS may carry the request of a client with TLS: rules ask {@code Exchange.clientSecure()}. */
    @ArchTest
    static final ArchRule onlyCodecsAndForwardedFieldsAskForTheTlsOfTheConnection = noClasses()
            .that()
            .resideOutsideOfPackages(
                    "dev.postern.core.exchange",
                    "dev.postern.core.headers",
                    "dev.postern.core.http1",
                    "dev.postern.core.http2")
            .should()
            .callMethod(ClientConnection.class, "secure");

    @ArchTest
    static final ArchRule authDoesNotSeeRateLimits = noClasses()
            .that()
            .resideInAPackage(AUTH)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(RATE_LIMIT, APP, "picocli..", "org.apache.logging..");

    @ArchTest
    static final ArchRule rateLimitsDoNotSeeAuth = noClasses()
            .that()
            .resideInAPackage(RATE_LIMIT)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    AUTH,
                    APP,
                    "org.bouncycastle..",
                    "net.spy..",
                    "tools.jackson..",
                    "picocli..",
                    "org.apache.logging..");

    @ArchTest
    static final ArchRule onePackageUsesSpymemcached = noClasses()
            .that()
            .resideOutsideOfPackage("dev.postern.auth.spend.memcached.spy")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("net.spy..");

    /** A client asks for login and certificates on its event loops, which never block: {@code RedisTarget} reads the files before. */
    @ArchTest
    static final ArchRule clientsOfRedisReadNoFiles = noClasses()
            .that()
            .resideInAnyPackage("dev.postern.auth.spend.redis", "dev.postern.ratelimit.redis")
            .should()
            .dependOnClassesThat()
            .belongToAnyOf(File.class, Files.class, Path.class);

    @ArchTest
    static final ArchRule configurationIsOfTheProcessAlone = noClasses()
            .that()
            .resideOutsideOfPackage(APP)
            .should()
            .dependOnClassesThat()
            .resideInAPackage("dev.postern.app.config..");

    @ArchTest
    static final ArchRule recordsOfTheConfigurationKnowNoReader = noClasses()
            .that()
            .resideInAnyPackage("dev.postern.app.config", "dev.postern.app.config.type", "dev.postern.core.config")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("dev.postern.app.config.read", "tools.jackson..", "org.snakeyaml..", "picocli..");

    @ArchTest
    static final ArchRule ruleOfRoomsKnowsNoNetty = noClasses()
            .that()
            .resideInAPackage("dev.postern.ratelimit.queue")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.netty..", "io.lettuce..");

    @ArchTest
    static final ArchRule addressesKnowNoSockets = noClasses()
            .that()
            .resideInAPackage("dev.postern.core.net")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.netty.channel..", "io.netty.resolver..", "java.nio.channels..");

    @ArchTest
    static final ArchRule wireFormatsKnowNoNetty = noClasses()
            .that()
            .resideInAPackage("dev.postern.auth.token")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.netty.channel..", "org.bouncycastle..");

    @ArchTest
    static final ArchRule namesSayWhatAClassIs = noClasses()
            .that()
            .areNotAssignableTo(KeyManager.class)
            .should()
            .haveSimpleNameEndingWith("Manager")
            .orShould()
            .haveSimpleNameEndingWith("Helper")
            .orShould()
            .haveSimpleNameEndingWith("Util")
            .orShould()
            .haveSimpleNameEndingWith("Utils")
            .orShould()
            .haveSimpleNameEndingWith("Impl");

    @ArchTest
    static final ArchRule nothingStaticChanges = noFields()
            .that()
            .areStatic()
            .and(DescribedPredicate.describe(
                    "are not made by the compiler",
                    (JavaField f) -> !f.getName().contains("$")))
            .should()
            .notBeFinal();

    @ArchTest
    static final ArchRule everyPackageIsNullMarked = classes()
            .should(ArchCondition.from(DescribedPredicate.describe(
                    "be in a package that is @NullMarked",
                    (JavaClass c) -> c.getPackage().isAnnotatedWith("org.jspecify.annotations.NullMarked"))));

    @Test
    void allOfNettyHasOneVersion() {
        Set<String> versions = new TreeSet<>();
        Map<String, String> byArtifact = new TreeMap<>();
        Version.identify(LayersTest.class.getClassLoader()).forEach((artifact, version) -> {
            versions.add(version.artifactVersion());
            byArtifact.put(artifact, version.artifactVersion());
        });

        assertThat(versions).as("%s", byArtifact).hasSize(1);
        assertThat(byArtifact).containsKeys("netty-transport-native-epoll", "netty-common", "netty-handler");
    }

    @ParameterizedTest
    @ValueSource(strings = {"epoll", "io_uring42"})
    void nativeLibrariesComeFromJarsOfTheSameVersion(String transport) throws IOException {
        Version common = Objects.requireNonNull(
                Version.identify(LayersTest.class.getClassLoader()).get("netty-common"));
        List<URL> libraries = Collections.list(LayersTest.class
                .getClassLoader()
                .getResources("META-INF/native/libnetty_transport_native_" + transport + "_x86_64.so"));

        assertThat(libraries).hasSize(1);
        String jar =
                Path.of(libraries.get(0).getPath().split("!")[0]).getFileName().toString();
        assertThat(jar).contains(common.artifactVersion());
        try (InputStream library = libraries.get(0).openStream()) {
            assertThat(library.read()).isEqualTo(0x7f);
        }
    }
}
