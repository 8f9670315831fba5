// What the library expects of its surroundings; imported before it.
import { webcrypto } from 'node:crypto';

// Node 18, which Debian 12 has, keeps it in a module.
globalThis.crypto ??= webcrypto;

// The library asks issuers by https only, as names in challenges are authorities of https. Those on loopback speak plain HTTP here.
const LOOPBACK = /^https:\/\/(127\.0\.0\.1:\d+\/)/;
const DEADLINE_MILLIS = 30_000;
const overNetwork = globalThis.fetch;

globalThis.fetch = (address, options = {}) =>
  overNetwork(String(address).replace(LOOPBACK, 'http://$1'), { signal: AbortSignal.timeout(DEADLINE_MILLIS), ...options });
