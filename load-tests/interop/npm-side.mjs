// Client, issuer and origin, each a thin server or driver around the library's class of that name.
import { createServer } from 'node:http';
import {
  AuthorizationHeader,
  MediaType,
  PRIVATE_TOKEN_ISSUER_DIRECTORY,
  TOKEN_TYPES,
  WWWAuthenticateHeader,
  fetchToken,
  getIssuerUrl,
  privateVerif,
  publicVerif,
  sendTokenRequest,
  tokenRequestToTokenTypeEntry,
} from '@cloudflare/privacypass-ts';

const { BlindRSAMode } = publicVerif;
const REQUEST_PATH = '/token-request';
const RSA = { modulusLength: 2048, publicExponent: Uint8Array.of(1, 0, 1) };

export const BLIND_RSA = TOKEN_TYPES.BLIND_RSA.value;
export const VOPRF = TOKEN_TYPES.VOPRF.value;

export const base64url = (bytes) => Buffer.from(bytes).toString('base64').replaceAll('+', '-').replaceAll('/', '_');
export const fromBase64url = (text) => new Uint8Array(Buffer.from(text, 'base64url'));
const same = (a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)) === 0;

const entryOf = (type) => Object.values(TOKEN_TYPES).find((entry) => entry.value === type);

/** Listens on a free port of loopback, responding with the result of the function; an exception becomes status 500. */
export async function serve(respond) {
  const server = createServer(async (request, response) => {
    try {
      const chunks = [];
      for await (const chunk of request) chunks.push(chunk);
      const { status, fields = {}, body = '' } = await respond(request, new Uint8Array(Buffer.concat(chunks)));
      response.writeHead(status, fields).end(body);
    } catch (e) {
      response.writeHead(500).end(String(e));
    }
  });
  await new Promise((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve));
  return {
    name: `127.0.0.1:${server.address().port}`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** The library's issuers of both types behind the addresses of RFC 9578. */
export async function startIssuer() {
  const rsa = await publicVerif.Issuer.generateKey(BlindRSAMode.PSS, RSA);
  const voprf = await privateVerif.keyGen();
  const tokenKeys = new Map([
    [BLIND_RSA, await publicVerif.getPublicKeyBytes(rsa.publicKey)],
    [VOPRF, voprf.publicKey],
  ]);
  let issuers;

  async function issue(body) {
    const entry = tokenRequestToTokenTypeEntry(body);
    const request =
      entry.value === VOPRF ? privateVerif.TokenRequest.deserialize(body) : publicVerif.TokenRequest.deserialize(entry, body);
    const issuer = issuers.get(entry.value);
    if (request.truncatedTokenKeyId !== (await issuer.tokenKeyID()).at(-1)) throw new Error('unknown key');
    return (await issuer.issue(request)).serialize();
  }

  const server = await serve(async (request, body) => {
    if (request.url === PRIVATE_TOKEN_ISSUER_DIRECTORY) {
      const directory = {
        'issuer-request-uri': REQUEST_PATH,
        'token-keys': [...tokenKeys].map(([type, key]) => ({ 'token-type': type, 'token-key': base64url(key) })),
      };
      const fields = { 'Content-Type': MediaType.PRIVATE_TOKEN_ISSUER_DIRECTORY, 'Cache-Control': 'max-age=300' };
      return { status: 200, fields, body: JSON.stringify(directory) };
    }
    if (request.url !== REQUEST_PATH || request.method !== 'POST') return { status: 404 };
    if (request.headers['content-type'] !== MediaType.PRIVATE_TOKEN_REQUEST) return { status: 415 };
    try {
      return { status: 200, fields: { 'Content-Type': MediaType.PRIVATE_TOKEN_RESPONSE }, body: await issue(body) };
    } catch (e) {
      return { status: 422, body: String(e) };
    }
  });
  issuers = new Map([
    [BLIND_RSA, new publicVerif.Issuer(BlindRSAMode.PSS, server.name, rsa.privateKey, rsa.publicKey)],
    [VOPRF, new privateVerif.Issuer(server.name, voprf.privateKey, voprf.publicKey)],
  ]);
  return { ...server, directory: `http://${server.name}${PRIVATE_TOKEN_ISSUER_DIRECTORY}`, voprfSecret: voprf.privateKey };
}

/**
 * The library's origin, asking for tokens of that type of one issuer. It remembers nonces, which the library leaves to its user.
 *
 * @param verifyingKey the token-key, or of VOPRF the secret
 */
export async function startOrigin({ type, issuerName, tokenKey, verifyingKey, quoted }) {
  const names = ['origin.example'];
  const origin = type === VOPRF ? new privateVerif.Origin(names) : new publicVerif.Origin(BlindRSAMode.PSS, names);
  const challenge = origin.createTokenChallenge(issuerName, crypto.getRandomValues(new Uint8Array(32)));
  const digest = await crypto.subtle.digest('SHA-256', challenge.serialize());
  const key = type === VOPRF ? verifyingKey : await rsaKey(verifyingKey);
  const spent = new Set();

  async function good(credential) {
    const found = AuthorizationHeader.parse(entryOf(type), credential);
    if (found.length !== 1) return false;
    const { token } = found[0];
    const nonce = base64url(token.authInput.nonce);
    if (spent.has(nonce) || !same(token.authInput.challengeDigest, digest) || !(await origin.verify(token, key))) return false;
    spent.add(nonce);
    return true;
  }

  return serve(async (request) => {
    const credential = request.headers.authorization;
    if (credential !== undefined && (await good(credential))) return { status: 200, body: 'let in by the npm origin\n' };
    return { status: 401, fields: { 'WWW-Authenticate': new WWWAuthenticateHeader(challenge, tokenKey, 60).toString(quoted) } };
  });
}

function rsaKey(tokenKey) {
  return crypto.subtle.importKey('spki', publicVerif.convertRSASSAPSSToEnc(tokenKey), TOKEN_TYPES.BLIND_RSA.rsaParams, true, ['verify']);
}

/** The challenges of a WWW-Authenticate field, in its order. */
export const readChallenges = (field) => WWWAuthenticateHeader.parse(field);

const clientFor = ({ tokenType }) => (tokenType === VOPRF ? new privateVerif.Client() : new publicVerif.Client(BlindRSAMode.PSS));

/** Runs issuance for that challenge by the library's client; the result is ready to be an Authorization field. */
export const getToken = (header) => fetchToken(clientFor(header.challenge), header);

/** The same with another issuer than the challenge names. */
export async function getForeignToken({ challenge }, tokenKey, issuerName) {
  const client = clientFor(challenge);
  const request = await client.createTokenRequest(challenge, tokenKey);
  const response = await sendTokenRequest(request.serialize(), await getIssuerUrl(issuerName));
  return new AuthorizationHeader(await client.finalize(client.deserializeTokenResponse(response)));
}

/** The token with one bit of its authenticator changed. */
export function forge(authorization, type) {
  const bytes = authorization.token.serialize();
  bytes[bytes.length - 1] ^= 1;
  const [forged] = AuthorizationHeader.parse(entryOf(type), `PrivateToken token="${base64url(bytes)}"`);
  return forged;
}
