// What the library expects of its surroundings; imported before it.
import { webcrypto } from 'node:crypto';
import http from 'node:http';
import https from 'node:https';

// Node 18, which Debian 12 has, keeps it in a module.
globalThis.crypto ??= webcrypto;

// The library asks issuers by https only, as names in challenges are authorities of https. Those on loopback speak plain HTTP here.
const LOOPBACK = /^https:\/\/(127\.0\.0\.1:\d+\/)/;
// Names of docs/issuers.md, which no resolver is asked for; fetch cannot send a Host field of its own.
const NAMED = /^https?:\/\/(?:site|issuer|tokens)\.example:\d+\//;
const DEADLINE_MILLIS = 30_000;
const overNetwork = globalThis.fetch;

globalThis.fetch = (address, options = {}) => {
  const signal = AbortSignal.timeout(DEADLINE_MILLIS);
  if (NAMED.test(String(address))) return onLoopback(String(address), { signal, ...options });
  return overNetwork(String(address).replace(LOOPBACK, 'http://$1'), { signal, ...options });
};

/** Requests that address from a server on loopback, whose certificate must be of the address's name. */
function onLoopback(address, { method = 'GET', headers, body, signal }) {
  const { request } = address.startsWith('https:') ? https : http;
  const lookup = (name, { all }, found) =>
    all ? found(null, [{ address: '127.0.0.1', family: 4 }]) : found(null, '127.0.0.1', 4);
  return new Promise((resolve, reject) => {
    const fields = Object.fromEntries(new Headers(headers));
    const sent = request(address, { method, headers: fields, lookup, signal, agent: false }, async (response) => {
      try {
        const chunks = [];
        for await (const chunk of response) chunks.push(chunk);
        const content = chunks.length === 0 ? null : Buffer.concat(chunks);
        const received = Object.entries(response.headersDistinct).flatMap(([name, values]) => values.map((value) => [name, value]));
        resolve(new Response(content, { status: response.statusCode, headers: received }));
      } catch (e) {
        reject(e);
      }
    });
    sent.once('error', reject);
    sent.end(body);
  });
}
