/**
 * Plumbing between the pipeline and the rules of this module: decode, verify, spend, and the challenge that a refusal carries.
 */
@NullMarked
package dev.postern.auth.handler;

import org.jspecify.annotations.NullMarked;
