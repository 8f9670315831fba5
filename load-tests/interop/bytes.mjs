// Encodings of bytes.
import { createHash } from 'node:crypto';

export const base64url = (bytes) => Buffer.from(bytes).toString('base64').replaceAll('+', '-').replaceAll('/', '_');
export const fromBase64url = (text) => new Uint8Array(Buffer.from(text, 'base64url'));
export const toHex = (bytes) => Buffer.from(bytes).toString('hex');
export const sameBytes = (a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)) === 0;
export const keyId = (tokenKey) => createHash('sha256').update(tokenKey).digest('hex');

/** A copy with one bit of that byte changed. */
export function flipped(bytes, index) {
  const copy = new Uint8Array(bytes);
  copy[index] ^= 1;
  return copy;
}
