package dev.postern.core.testing;

import dev.postern.core.tls.TlsEngine;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Runs the tests of a class with BoringSSL and with the JDK's engine; a field with {@code @Parameter} has the kind. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ParameterizedClass(name = "{0}")
@EnumSource(
        value = TlsEngine.Kind.class,
        names = {"BORINGSSL", "JDK"})
public @interface BothTlsEngines {}
