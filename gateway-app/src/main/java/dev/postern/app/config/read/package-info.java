/**
 * Reads file, environment and command line into {@code GatewayConfig} and reports all problems at once, each with its place. Other packages
 * use {@code ConfigReader} and its results.
 */
@NullMarked
package dev.postern.app.config.read;

import org.jspecify.annotations.NullMarked;
