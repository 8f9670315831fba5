/**
 * The entrance of this module: {@link dev.postern.auth.Auth} makes everything that decides who may pass out of the settings. The process
 * enters here and nowhere else.
 */
@NullMarked
package dev.postern.auth;

import org.jspecify.annotations.NullMarked;
