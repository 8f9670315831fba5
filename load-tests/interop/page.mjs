// The configurations of docs/issuers.md, each run as it stands there, but with names mapped to loopback, and with free ports.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { base64url } from './bytes.mjs';
import { BLIND_RSA, getForeignToken, getToken, readChallenges, startIssuer } from './npm-side.mjs';

const BLOCK = /^```yaml\n(.*?)^```$/gms;
const NEW_KEY_MILLIS = 30_000;
const RETRY_MILLIS = 500;
const MANY = 60;

export class Page {
  #blocks;
  #tls;
  #folder;
  #postern;
  #site;

  constructor({ page, tls, folder, postern, site }) {
    [...this.#blocks] = [...readFileSync(page, 'utf8').matchAll(BLOCK)].map(([, text]) => text);
    this.#tls = tls;
    this.#folder = folder;
    this.#postern = postern;
    this.#site = site;
    writeFileSync(join(folder, 'hosts'), '127.0.0.1 issuer.example tokens.example\n');
  }

  get tls() {
    return { key: readFileSync(join(this.#tls, 'tls.key')), cert: readFileSync(join(this.#tls, 'tls.crt')) };
  }

  /** What the commands need to reach these names. */
  clientOptions(...names) {
    const pinned = names.flatMap((name) => ['--resolve', `${name}:127.0.0.1`]);
    return ['--ca-file', join(this.#tls, 'tls.crt'), ...pinned];
  }

  /** The gateway of a site with the issuer of that name, as on the page. */
  startSite(name, issuer, trusted = true) {
    const changes = { 'issuer.example': issuer, '0.0.0.0:8080': '127.0.0.1:0', '127.0.0.1:9000': this.#site.name };
    return this.#start(name, this.#block('key-cache:'), changes, trusted);
  }

  /** The gateway of a site with a file instead of a directory. */
  startSiteWithKey(name, issuer, tokenKey) {
    const rest =
      'listeners: [{name: web, address: "127.0.0.1:0"}]\n' +
      `upstreams: [{name: app, endpoints: ["${this.#site.name}"]}]\n` +
      'routes: [{host: site.example, upstream: app}]\n';
    mkdirSync(join(this.#folder, name), { recursive: true });
    writeFileSync(join(this.#folder, name, 'issuer.key'), base64url(tokenKey), { mode: 0o644 });
    return this.#start(name, this.#block('public-key-files:') + rest, { 'issuer.example': issuer }, true);
  }

  /** The gateway before an issuer. */
  startFront(name, issuer) {
    const changes = {
      '127.0.0.1:9300': issuer.name,
      '0.0.0.0:8443': '127.0.0.1:0',
      'tls.crt': join(this.#tls, 'tls.crt'),
      'tls.key': join(this.#tls, 'tls.key'),
    };
    return this.#start(name, this.#block('certificate-file:'), changes, true);
  }

  #block(mark) {
    const found = this.#blocks.filter((text) => text.includes(mark));
    if (found.length !== 1) throw new Error(`docs/issuers.md: ${found.length} configurations with ${mark} (expected: one)`);
    return found[0];
  }

  async #start(name, block, changes, trusted) {
    let text = block;
    for (const [from, to] of Object.entries(changes)) {
      if (!text.includes(from)) throw new Error(`docs/issuers.md: no ${from} (expected: in the configuration of ${name})`);
      text = text.replaceAll(from, to);
    }
    mkdirSync(join(this.#folder, name), { recursive: true });
    const configuration = join(this.#folder, name, 'gateway.yaml');
    writeFileSync(configuration, text);
    const options = [`-Djdk.net.hosts.file=${join(this.#folder, 'hosts')}`];
    if (trusted) options.push(`-Djavax.net.ssl.trustStore=${join(this.#tls, 'trust.p12')}`, '-Djavax.net.ssl.trustStorePassword=changeit');
    const address = await this.#postern.startGateway(name, configuration, {
      args: ['--set', 'admin.address=127.0.0.1:0', '--set', 'lifecycle.drain-delay=0s', '--set', 'lifecycle.drain-timeout=2s'],
      env: { POSTERN_JAVA_OPTS: options.join(' ') },
    });
    return Number(new URL(address).port);
  }
}

/** What the page says of a public issuer. */
export async function showPublicIssuer({ page, keep, check, expect, redeem, posternFetch }) {
  const label = 'docs/issuers.md, public issuer over TLS';
  const issuer = await keep(startIssuer(page.tls));
  const name = `issuer.example:${issuer.port}`;
  const port = await check(`${label}: the gateway starts`, () => page.startSite('public', name));
  if (!port) return;
  const site = `http://site.example:${port}/`;
  await check(`${label}, npm client: redeems a token once (200, 401)`, () => redeemOnce(site, name, { expect, redeem }));
  await check(`${label}, postern client: redeems a token (200)`, () =>
    posternFetch([...page.clientOptions(`site.example:${port}`, name), site], 200));
  await check(`${label}: a token of a new key of the issuer is accepted (200)`, async () => {
    const key = await issuer.rotate();
    const [header] = await challenges(site);
    const end = performance.now() + NEW_KEY_MILLIS; // the gateway fetches the directory at most every five seconds
    for (;;) {
      const token = await getForeignToken(header, key, name);
      const outcome = await redeem(site, token.toString(true), 200).catch((e) => e);
      if (!(outcome instanceof Error)) return;
      if (performance.now() > end) throw outcome;
      await new Promise((resolve) => setTimeout(resolve, RETRY_MILLIS));
    }
  });
  await check(`${label}: a gateway that does not trust its certificate takes no keys (503)`, async () => {
    const other = await page.startSite('public-untrusted', name, false);
    expect('status', (await fetch(`http://site.example:${other}/`)).status, 503);
  });
  await check(`${label}: when it is away, a gateway that is started again has its keys from key-cache (401)`, async () => {
    issuer.close();
    const again = await page.startSite('public', name);
    expect('challenges', (await challenges(`http://site.example:${again}/`)).length, 1);
  });
}

/** What the page says of keys without a directory: those of the Rust issuer. */
export async function showKeyFile({ page, rustIssuer, check, posternFetch }) {
  await check('docs/issuers.md, key file of the rust issuer, postern client: redeems a token (200)', async () => {
    const port = await page.startSiteWithKey('key-file', rustIssuer.name, rustIssuer.tokenKey);
    await posternFetch([...page.clientOptions(`site.example:${port}`), `http://site.example:${port}/`], 200);
  });
}

/** What the page says of an issuer of one's own. */
export async function showOwnIssuer({ page, ours, check, expect, redeem, posternFetch }) {
  const label = 'docs/issuers.md, postern issuer behind a gateway';
  const front = await check(`${label}: the gateway starts`, () => page.startFront('front', ours));
  const name = `tokens.example:${front}`;
  const port = front && (await check(`${label}: the site's gateway starts`, () => page.startSite('own', name)));
  if (!port) return;
  const site = `http://site.example:${port}/`;
  await check(`${label}, npm client: redeems a token once (200, 401)`, () => redeemOnce(site, name, { expect, redeem }));
  await check(`${label}, postern client: redeems a token (200)`, () =>
    posternFetch([...page.clientOptions(`site.example:${port}`, name), site], 200));
  await check(`${label}: has no address for rotation (404)`, async () => {
    for (const path of ['roll', 'retire']) {
      expect(`status of ${path}`, (await fetch(`https://${name}/${path}`, { method: 'POST' })).status, 404);
    }
    expect('status of the issuer itself', (await fetch(`http://${ours.name}/roll`, { method: 'POST' })).status, 204);
  });
  await check(`${label}: limits token requests (429)`, async () => {
    const sent = Array.from({ length: MANY }, () => fetch(`https://${name}/token-request`, { method: 'POST' }));
    const statuses = (await Promise.all(sent)).map(({ status }) => status);
    expect('429 among the statuses', statuses.includes(429), true);
  });
}

async function challenges(url) {
  const response = await fetch(url);
  await response.arrayBuffer();
  return readChallenges(response.headers.get('WWW-Authenticate') ?? '');
}

async function redeemOnce(site, issuerName, { expect, redeem }) {
  const [header] = await challenges(site);
  expect('issuer-name', header?.challenge.issuerName, issuerName);
  expect('token type', header.challenge.tokenType, BLIND_RSA);
  expect('origin-info', header.challenge.originInfo.join(), 'site.example');
  const token = await getToken(header);
  await redeem(site, token.toString(true), 200);
  await redeem(site, token.toString(true), 401);
}
