package dev.postern.app.config.type;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Key of the configuration: its description for users. The reader, the documentation and the JSON schema are generated from it. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface Key {

    /** Value of {@link #or} for a required key without a default. */
    String REQUIRED = "<required>";

    /** Default, as YAML. */
    String or() default REQUIRED;

    /** Sentence for {@code docs/configuration.md}. */
    String says();

    /** Former name of the key. A configuration with the former name gets a message with the new one. Empty for none. */
    String formerly() default "";

    /** Example value of a key without a default. */
    String example() default "";

    /** Declares that a change of the key, or of a key below it, needs a restart. */
    boolean restart() default false;

    /** Declares that the value is secret and must not be shown. */
    boolean secret() default false;
}
