/**
 * Reads {@code GatewayConfig} from the file, the environment and the command line, and reports all problems with their places. Other
 * packages use only {@code ConfigReader} and the types that it returns.
 */
@NullMarked
package dev.postern.app.config.read;

import org.jspecify.annotations.NullMarked;
