package dev.postern.core.extension;

import dev.postern.core.exchange.ErrorPageRenderer;
import dev.postern.core.exchange.Exchange;
import dev.postern.core.pipeline.ExchangeStage;
import dev.postern.core.spi.EndpointRule;
import dev.postern.core.spi.Extension;
import dev.postern.core.spi.LogField;
import dev.postern.core.spi.RefusalPage;
import dev.postern.core.spi.Stage;
import dev.postern.core.spi.Stage.Position;
import dev.postern.core.upstream.endpoint.ExtensionBalance;
import io.micrometer.core.instrument.MeterRegistry;
import io.netty.util.concurrent.Ticker;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Loader of all extensions on the class path and in one folder of jars, ordered by priority and then by class name. Each extension is
 * wrapped so that its errors do no harm. Without extensions, exchanges pass no extra code. Thread-safe.
 */
public final class ExtensionLoader implements AutoCloseable {

    private final @Nullable URLClassLoader jars;
    private final ExtensionErrors errors;
    private final List<Stage> stages;
    private final List<RefusalPage> pages;
    private final List<LogField> logFields;
    private final List<EndpointRule> endpointRules;

    private ExtensionLoader(@Nullable URLClassLoader jars, ClassLoader loader, ExtensionErrors errors) {
        this.jars = jars;
        this.errors = errors;
        this.stages = load(Stage.class, loader);
        this.pages = load(RefusalPage.class, loader);
        this.logFields = load(LogField.class, loader);
        this.endpointRules = load(EndpointRule.class, loader);
        List.of(stages, pages, logFields, endpointRules).forEach(some -> some.forEach(errors::begin));
    }

    /**
     * Loads the extensions; throws {@link IllegalStateException} with the cause of a failure.
     *
     * @param folder with jars to load beside the class path, or null for none
     * @param ticker limits the log lines about errors of extensions
     */
    public static ExtensionLoader load(@Nullable Path folder, MeterRegistry registry, Ticker ticker) {
        ClassLoader own = ExtensionLoader.class.getClassLoader();
        URLClassLoader jars = folder == null ? null : new URLClassLoader(jars(folder), own);
        try {
            return new ExtensionLoader(jars, jars == null ? own : jars, new ExtensionErrors(registry, ticker));
        } catch (ServiceConfigurationError e) {
            throw new IllegalStateException(
                    "extensions: " + e.getMessage() + " (expected: a class that can be made)", e);
        }
    }

    private static URL[] jars(Path folder) {
        try (Stream<Path> files = Files.list(folder)) {
            List<Path> jars = files.filter(file -> file.toString().endsWith(".jar"))
                    .sorted()
                    .toList();
            URL[] urls = new URL[jars.size()];
            for (int i = 0; i < urls.length; i++) {
                urls[i] = url(jars.get(i));
            }
            return urls;
        } catch (IOException e) {
            throw new IllegalStateException("extensions: " + folder + " (expected: a folder that can be read)", e);
        }
    }

    private static URL url(Path jar) throws MalformedURLException {
        return jar.toUri().toURL();
    }

    private static <E extends Extension> List<E> load(Class<E> kind, ClassLoader loader) {
        return ServiceLoader.load(kind, loader).stream()
                .map(ServiceLoader.Provider::get)
                .sorted(Comparator.comparingInt((E extension) -> extension.priority())
                        .thenComparing(extension -> extension.getClass().getName()))
                .toList();
    }

    /** Returns a pipeline stage that runs the extensions of the position, or null when there are none. */
    public @Nullable ExchangeStage at(Position position) {
        List<Stage> there =
                stages.stream().filter(stage -> stage.position() == position).toList();
        return there.isEmpty() ? null : new ExtensionStage(there, accounted(position), errors);
    }

    private static dev.postern.core.exchange.StageName accounted(Position position) {
        return position == Position.MATCHED
                ? dev.postern.core.exchange.StageName.MATCH
                : dev.postern.core.exchange.StageName.ADMIT;
    }

    /** Returns the renderer of error pages, or null for the gateway's default pages. */
    public @Nullable ErrorPageRenderer pages() {
        return pages.isEmpty() ? null : new GuardedErrorPages(pages, errors);
    }

    /** Returns the fields that extensions add to the exchange log. */
    public List<ExtraField> logFields() {
        return logFields.stream()
                .map(field -> (ExtraField) new GuardedLogField(field, errors))
                .toList();
    }

    /** Returns the endpoint rule with the name, or null. */
    public @Nullable ExtensionBalance endpointRule(String name) {
        return endpointRules.stream()
                .filter(rule -> rule.name().equals(name))
                .findFirst()
                .map(rule -> (ExtensionBalance) new GuardedEndpointRule(rule, errors))
                .orElse(null);
    }

    /** Returns the names of all endpoint rules. */
    public List<String> endpointRules() {
        return endpointRules.stream().map(EndpointRule::name).toList();
    }

    /** Returns the class names of all extensions, for reports of what runs. */
    public List<String> names() {
        return Stream.of(stages, pages, logFields, endpointRules)
                .flatMap(List::stream)
                .map(extension -> extension.getClass().getName())
                .distinct()
                .toList();
    }

    @Override
    public void close() throws IOException {
        if (jars != null) {
            jars.close();
        }
    }

    /** Extra field of the exchange log. */
    public interface ExtraField {

        String name();

        /** Returns the value, or null to omit the field. */
        @Nullable
        String value(Exchange exchange);
    }
}
