package dev.postern.core.config;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Key of the configuration; the reader, the documentation and the JSON schema are generated from these annotations. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface Key {

    /** Value of {@link #defaultValue} for a required key, which has no default. */
    String REQUIRED = "<required>";

    /** Returns the key, where it is not the component's name in kebab case. */
    String name() default "";

    /** Returns the default, as YAML. */
    String defaultValue() default REQUIRED;

    /** Returns the minimum, as operators write it, or empty; of a map the minimum of its values. See {@link KeyRange}. */
    String min() default "";

    /** Returns the maximum likewise. */
    String max() default "";

    /** Returns the kind of the file that the value names; of a list the kind of its elements. */
    FileKind file() default FileKind.NONE;

    /** Returns conditions, of which one is enough, without which the key has no effect. See {@link KeyNeed}. */
    String[] needs() default {};

    /** Returns the path of another key, as in {@link KeyNeed}; a value above that of this key, unless it is 0, has no effect. */
    String upTo() default "";

    /** Returns the description for {@code docs/configuration.md} and the schema. */
    String description();

    /** Returns the former name of the key, or empty; a configuration with this name gets a problem that says the new one. */
    String formerly() default "";

    /** Returns an example for a key without a default. */
    String example() default "";

    /** Returns whether a change of this key, or of a key below, needs a restart. */
    boolean restart() default false;

    /** Returns whether the value is secret. */
    boolean secret() default false;
}
