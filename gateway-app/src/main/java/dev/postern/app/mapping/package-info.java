/**
 * What the configuration means to each module: its own settings, made of ours, one class for each noun. Plain functions of a configuration and
 * the files that it names; nothing is opened here. Whoever assembles or reloads enters.
 */
@NullMarked
package dev.postern.app.mapping;

import org.jspecify.annotations.NullMarked;
