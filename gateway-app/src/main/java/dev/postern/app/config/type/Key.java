package dev.postern.app.config.type;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** What users need to know of one key; the reader, the documentation and the schema are made from it. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface Key {

    /** The value of {@link #or} that means: no default, the key must be there. */
    String REQUIRED = "<required>";

    /** The default, as YAML. */
    String or() default REQUIRED;

    /** One sentence for {@code docs/configuration.md}. */
    String says();

    /** The name that the key had before; a configuration that still has it is told the new name. Empty for none. */
    String formerly() default "";

    /** A value to show where there is no default. */
    String example() default "";

    /** Whether only a new process follows a change of it, or of what is below. */
    boolean restart() default false;

    /** Whether the value must not be shown. */
    boolean secret() default false;
}
