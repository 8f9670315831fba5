// Client, issuer and origin of Postern, of @cloudflare/privacypass-ts and of blind-rsa-signatures, each with the others' parts; started by
// scripts/interop.
import './platform.mjs';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { base64url, flipped, fromBase64url, keyId } from './bytes.mjs';
import { BLIND_RSA, VOPRF, forge, getForeignToken, getToken, readChallenges, startIssuer, startOrigin } from './npm-side.mjs';
import { Page, showKeyFile, showOwnIssuer, showPublicIssuer } from './page.mjs';
import { Postern, readSecret, secretText } from './postern-side.mjs';
import { Rust, blindInRust, requestToken, startRustIssuer } from './rust-side.mjs';
import { serve } from './server.mjs';

const PAGE = 'the site behind the gateway\n';
const [launcher, rustProgram, tls, page, logs, ...wanted] = process.argv.slice(2);
const PARTS = { npm: showNpm, rust: showRust, page: showPage };
mkdirSync(logs, { recursive: true });
const folder = mkdtempSync(join(tmpdir(), 'postern-interop-'));
const postern = new Postern(launcher, logs);
const rust = new Rust(rustProgram);
const servers = [rust];
const results = { passed: 0, failed: 0 };

const say = (text) => console.log(text);

/** One printed line; what the action returns, or null when it threw. */
async function check(label, action) {
  try {
    const result = await action();
    results.passed++;
    say(`PASS  ${label}`);
    return result ?? true;
  } catch (e) {
    results.failed++;
    const cause = e.cause ? ` (${e.cause.message ?? e.cause})` : '';
    say(`FAIL  ${label}: ${e.message}${cause}`);
    return null;
  }
}

function expect(what, value, expected) {
  if (value !== expected) throw new Error(`${what}: ${value} (expected: ${expected})`);
}

async function keep(server) {
  const started = await server;
  servers.push(started);
  return started;
}

// --- what runs -----------------------------------------------------------------------------------------------------------------------

/** One gateway, whose challenges name that type first, with a route for each issuer that has keys of that type. */
async function startGateway(type, site, all) {
  const issuers = all.filter((issuer) => type !== VOPRF || issuer.secrets);
  const configuration = join(folder, `gateway-${type}.yaml`);
  const text = {
    listeners: [{ name: 'web', address: '127.0.0.1:0' }],
    admin: { address: '127.0.0.1:0' },
    lifecycle: { 'drain-delay': '0s', 'drain-timeout': '2s' },
    'privacy-pass': {
      'origin-names': ['127.0.0.1', 'localhost'],
      'token-types': type === VOPRF ? [VOPRF, BLIND_RSA] : [BLIND_RSA, VOPRF],
      issuers: issuers.map(({ name, directory, secrets }) => ({
        name,
        directory,
        'private-key-files': secrets ? [secrets] : [],
      })),
    },
    upstreams: [{ name: 'site', endpoints: [site.name] }],
    routes: issuers.map(({ whose, name }) => ({ path: `/${whose}`, upstream: 'site', challenge: { issuers: [name] } })),
  };
  writeFileSync(configuration, JSON.stringify(text, null, 2)); // which is YAML too
  return postern.startGateway(`gateway-${type}`, configuration);
}

async function startAll() {
  const ourSecrets = join(folder, 'postern-keys');
  const theirSecrets = join(folder, 'npm-keys');
  mkdirSync(theirSecrets, { mode: 0o700 });
  say('starting: npm issuers, rust issuer, postern issuer, a site');
  const theirs = await keep(startIssuer());
  const foreignIssuer = await keep(startIssuer());
  writeFileSync(join(theirSecrets, 'npm.key'), secretText(base64url(theirs.voprfSecret)), { mode: 0o600 });
  const rustIssuer = await keep(startRustIssuer(rust));
  const ours = await postern.startIssuer(ourSecrets);
  const site = await keep(serve(() => ({ status: 200, body: PAGE })));
  const issuers = [
    { whose: 'postern', name: ours.name, directory: ours.directory, secrets: ourSecrets },
    { whose: 'npm', name: theirs.name, directory: theirs.directory, secrets: theirSecrets },
    { whose: 'rust', name: rustIssuer.name, directory: rustIssuer.directory },
  ];
  say('starting: two gateways');
  const gateways = new Map();
  for (const type of [BLIND_RSA, VOPRF]) gateways.set(type, await startGateway(type, site, issuers));
  return { issuers, foreignIssuer, gateways, ours, rustIssuer, site };
}

// --- what is shown -------------------------------------------------------------------------------------------------------------------

async function tokenKeys(directory, type) {
  const listed = await (await fetch(directory)).json();
  return listed['token-keys'].filter((k) => k['token-type'] === type).map((k) => k['token-key']);
}

async function redeem(url, authorization, expected) {
  const response = await fetch(url, { headers: { Authorization: authorization } });
  const body = await response.text();
  expect('status', response.status, expected);
  if (expected === 200) expect('body', body, PAGE);
}

async function challengesOf(url) {
  const response = await fetch(url);
  await response.arrayBuffer();
  expect('status', response.status, 401);
  return readChallenges(response.headers.get('WWW-Authenticate') ?? '');
}

async function readGatewaysChallenges(url, type, issuer) {
  const headers = await challengesOf(url);
  const types = issuer.secrets ? [type, type === VOPRF ? BLIND_RSA : VOPRF] : [type];
  expect('challenges', headers.map((h) => h.challenge.tokenType).join(), types.join());
  const [{ challenge, tokenKey, maxAge }] = headers;
  expect('issuer-name', challenge.issuerName, issuer.name);
  expect('origin-info', challenge.originInfo.join(), '127.0.0.1,localhost');
  expect('redemption-context', challenge.redemptionContext.length, 32);
  expect('max-age over 0', maxAge > 0, true);
  expect('token-key', base64url(tokenKey), (await tokenKeys(issuer.directory, type))[0]);
  return headers;
}

async function npmClient(label, url, type, issuer, foreignIssuer) {
  const headers = await check(`${label}: reads the challenges`, () => readGatewaysChallenges(url, type, issuer));
  const token = headers && (await check(`${label}: gets a token`, () => getToken(headers[0])));
  if (!token) return;
  // As the library writes it by default, and as RFC 9577 shows it.
  const forms = { 'as the library writes it': token.toString(), quoted: (await getToken(headers[0])).toString(true) };
  for (const [form, authorization] of Object.entries(forms)) {
    await check(`${label}: redeems it, ${form} (200)`, () => redeem(url, authorization, 200));
    await check(`${label}: is refused its second use, ${form} (401)`, () => redeem(url, authorization, 401));
  }
  await check(`${label}: is refused a changed token (401)`, async () =>
    redeem(url, forge(await getToken(headers[0]), type).toString(true), 401));
  await check(`${label}: is refused another issuer's token (401)`, async () => {
    const [key] = await tokenKeys(foreignIssuer.directory, type);
    const foreign = await getForeignToken(headers[0], fromBase64url(key), foreignIssuer.name);
    await redeem(url, foreign.toString(true), 401);
  });
}

async function posternFetch(args, expected) {
  const { code, out, err } = await postern.run(['fetch', '--json', ...args]);
  const reply = out.startsWith('{') ? JSON.parse(out) : null;
  if (!reply) throw new Error(`postern fetch: exit ${code}, ${err.trim()} (expected: a response)`);
  expect('status', reply.status, expected);
  return reply;
}

async function posternClient(label, url, type) {
  await check(`${label}: fetch gets a token and redeems it (200)`, async () =>
    expect('body', (await posternFetch([url], 200)).body, PAGE));
  const minted = await check(`${label}: mint gets two tokens`, async () => {
    const { code, out, err } = await postern.run(['mint', url, '-n', '2']);
    const tokens = out.trim().split('\n');
    if (code !== 0 || tokens.length !== 2) throw new Error(`postern mint: exit ${code}, ${err.trim()} (expected: two tokens)`);
    for (const token of tokens) expect('token type', Buffer.from(token, 'base64url').readUInt16BE(0), type);
    return tokens;
  });
  for (const [i, token] of (minted || []).entries()) {
    await check(`${label}: minted token ${i + 1} is redeemed (200)`, () => redeem(url, `PrivateToken token="${token}"`, 200));
    await check(`${label}: and refused its second use (401)`, () => posternFetch(['--token', token, url], 401));
  }
}

/** Our client and issuer at the library's origin: what it says in its challenges, and whether it takes our tokens. */
async function npmOrigin(label, type, issuer, quoted) {
  const [listed] = await tokenKeys(issuer.directory, type);
  const tokenKey = fromBase64url(listed);
  const verifyingKey = type === VOPRF ? secretOf(tokenKey, issuer) : tokenKey;
  const origin = await keep(startOrigin({ type, issuerName: issuer.name, tokenKey, verifyingKey, quoted }));
  const url = `http://${origin.name}/`;
  await check(`${label}: fetch gets a token and redeems it (200)`, () => posternFetch([url], 200));
  if (!quoted) return;
  await check(`${label}: a minted token is redeemed once (200, 401)`, async () => {
    const { code, out, err } = await postern.run(['mint', url]);
    if (code !== 0) throw new Error(`postern mint: exit ${code}, ${err.trim()} (expected: a token)`);
    const headers = { Authorization: `PrivateToken token="${out.trim()}"` };
    expect('status', (await fetch(url, { headers })).status, 200);
    expect('status', (await fetch(url, { headers })).status, 401);
  });
}

const secretOf = (tokenKey, issuer) => fromBase64url(readSecret(join(issuer.secrets, `${keyId(tokenKey)}.key`)));

/** The Rust client at a gateway; reads the challenge without the library. */
async function rustClient(label, url, issuer, foreignIssuer) {
  const read = await check(`${label}: reads the challenge`, async () => {
    const field = (await fetch(url)).headers.get('WWW-Authenticate') ?? '';
    const [, challenge, tokenKey] = /^PrivateToken challenge="([^"]+)", token-key="([^"]+)"/.exec(field) ?? [];
    if (!tokenKey) throw new Error(`challenge: ${field} (expected: challenge and token-key)`);
    return { challenge: fromBase64url(challenge), tokenKey: fromBase64url(tokenKey) };
  });
  if (!read) return;
  const mint = async (variant, tokenKey = read.tokenKey, directory = issuer.directory) => {
    const { request, finish } = await blindInRust(rust, variant, read.challenge, tokenKey);
    return finish(await requestToken(directory, request));
  };
  const present = async (token, expected) => redeem(url, `PrivateToken token="${base64url(await token)}"`, expected);
  const token = await check(`${label}: gets a token`, () => mint('pss'));
  if (!token) return;
  await check(`${label}: redeems it (200)`, () => present(token, 200));
  await check(`${label}: is refused its second use (401)`, () => present(token, 401));
  await check(`${label}: is refused a changed signature (401)`, async () => {
    const good = await mint('pss');
    await present(flipped(good, good.length - 1), 401);
    await present(good, 200); // what was refused was the change
  });
  await check(`${label}: is refused a signature with a salt of 0 bytes (401)`, () => present(mint('pss-zero'), 401));
  await check(`${label}: is refused the signature of a randomized message (401)`, () => present(mint('pss-randomized'), 401));
  await check(`${label}: is refused another issuer's token (401)`, async () => {
    const [key] = await tokenKeys(foreignIssuer.directory, BLIND_RSA);
    await present(mint('pss', fromBase64url(key), foreignIssuer.directory), 401);
  });
  await check(`${label}: is refused a token request with another key id (422)`, async () => {
    const { request } = await blindInRust(rust, 'pss', read.challenge, read.tokenKey);
    await refused(requestToken(issuer.directory, flipped(request, 2)), 'status 422');
  });
}

async function refused(promise, text) {
  const outcome = await promise.then(
    () => 'accepted',
    (e) => e.message,
  );
  if (!outcome.includes(text)) throw new Error(`outcome: ${outcome} (expected: ${text})`);
}

/** Tokens of our client and issuer, checked by the Rust program. */
async function rustCheck(label, url, issuer, foreignIssuer) {
  const tokenKey = fromBase64url((await tokenKeys(issuer.directory, BLIND_RSA))[0]);
  const [{ challenge }] = await challengesOf(url);
  const bytes = challenge.serialize();
  const token = await check(`${label}: a minted token is valid`, async () => {
    const { code, out, err } = await postern.run(['mint', '--challenge', base64url(bytes)]);
    if (code !== 0) throw new Error(`postern mint: exit ${code}, ${err.trim()} (expected: a token)`);
    const minted = fromBase64url(out.trim());
    await rust.ask('check', bytes, tokenKey, minted);
    return minted;
  });
  if (!token) return;
  await check(`${label}: but not for another challenge, under another key, or changed`, async () => {
    const foreignKey = fromBase64url((await tokenKeys(foreignIssuer.directory, BLIND_RSA))[0]);
    await refused(rust.ask('check', flipped(bytes, bytes.length - 1), tokenKey, token), 'token: input');
    await refused(rust.ask('check', bytes, foreignKey, token), 'token: input');
    await refused(rust.ask('check', bytes, tokenKey, flipped(token, token.length - 1)), 'the Rust program');
  });
}

async function showRust({ issuers, foreignIssuer, gateways }) {
  say('\n== token type 0x0002, signatures of blind-rsa-signatures');
  const gateway = gateways.get(BLIND_RSA);
  const [ours, theirs, rusts] = issuers;
  for (const issuer of [ours, theirs]) {
    const url = `${gateway}/${issuer.whose}`;
    await rustClient(`type 2, rust client, ${issuer.whose} issuer, postern gateway`, url, issuer, foreignIssuer);
  }
  await posternClient('type 2, postern client, rust issuer, postern gateway', `${gateway}/rust`, BLIND_RSA);
  await npmClient('type 2, npm client, rust issuer, postern gateway', `${gateway}/rust`, BLIND_RSA, rusts, foreignIssuer);
  await rustCheck('type 2, postern client, postern issuer, rust check', `${gateway}/postern`, ours, foreignIssuer);
}

async function showNpm({ issuers, foreignIssuer, gateways }) {
  for (const type of [BLIND_RSA, VOPRF]) {
    say(`\n== token type 0x000${type} (${type === VOPRF ? 'VOPRF, P-384' : 'blind RSA, 2048 bit'})`);
    for (const issuer of issuers.filter((i) => i.secrets)) {
      const url = `${gateways.get(type)}/${issuer.whose}`;
      await npmClient(`type ${type}, npm client, ${issuer.whose} issuer, postern gateway`, url, type, issuer, foreignIssuer);
    }
    // Postern's client at its own issuer and gateway would show nothing here; its own tests do.
    await posternClient(`type ${type}, postern client, npm issuer, postern gateway`, `${gateways.get(type)}/npm`, type);
    for (const quoted of [true, false]) {
      const form = quoted ? 'quoted challenge' : 'challenge as the library writes it';
      await npmOrigin(`type ${type}, postern client, postern issuer, npm origin, ${form}`, type, issuers[0], quoted);
    }
  }
}

async function showPage({ ours, rustIssuer, site }) {
  say('\n== configurations of docs/issuers.md');
  const parts = { page: new Page({ page, tls, folder, postern, site }), ours, rustIssuer };
  for (const show of [showPublicIssuer, showKeyFile, showOwnIssuer]) await show({ ...parts, keep, check, expect, redeem, posternFetch });
}

// -------------------------------------------------------------------------------------------------------------------------------------

async function close() {
  await postern.close();
  servers.forEach((server) => server.close());
  rmSync(folder, { recursive: true, force: true });
}

for (const [signal, number] of Object.entries({ SIGHUP: 1, SIGINT: 2, SIGTERM: 15 })) {
  process.once(signal, async () => {
    await close();
    process.exit(128 + number);
  });
}

try {
  const parts = await startAll();
  for (const name of wanted) await PARTS[name](parts);
} catch (e) {
  results.failed++;
  say(`FAIL  ${e.message}`);
} finally {
  await close();
}
say(`\n${results.passed} passed, ${results.failed} failed`);
process.exitCode = results.failed === 0 ? 0 : 1;
