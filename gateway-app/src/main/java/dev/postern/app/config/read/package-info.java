/**
 * From text to {@code GatewayConfig}: the file, the environment and the command line, every problem at once and each with its place.
 * Only {@code ConfigReader} and what it returns are for others.
 */
@NullMarked
package dev.postern.app.config.read;

import org.jspecify.annotations.NullMarked;
