// Client, issuer and origin, each a thin server or driver around the library's class of that name.
import {
  AuthorizationHeader,
  TOKEN_TYPES,
  WWWAuthenticateHeader,
  fetchToken,
  getIssuerUrl,
  privateVerif,
  publicVerif,
  sendTokenRequest,
  tokenRequestToTokenTypeEntry,
} from '@cloudflare/privacypass-ts';
import { base64url, flipped, sameBytes } from './bytes.mjs';
import { serve, serveIssuer } from './server.mjs';

const { BlindRSAMode } = publicVerif;
const RSA = { modulusLength: 2048, publicExponent: Uint8Array.of(1, 0, 1) };

export const BLIND_RSA = TOKEN_TYPES.BLIND_RSA.value;
export const VOPRF = TOKEN_TYPES.VOPRF.value;

const entryOf = (type) => Object.values(TOKEN_TYPES).find((entry) => entry.value === type);

/**
 * The library's issuers of both types behind the addresses of RFC 9578.
 *
 * @param tls key and certificate, or nothing for plain HTTP
 */
export async function startIssuer(tls) {
  const voprf = await privateVerif.keyGen();
  const listed = [await rsaListing(), voprfListing(voprf)];
  const server = await serveIssuer({
    listKeys: () => listed.map(({ type, tokenKey }) => [type, tokenKey]),
    issue: (request) => issue(listed, request),
    tls,
  });
  /** Adds a key of type 2, which clients use from then on. */
  const rotate = async () => {
    listed.unshift(await rsaListing());
    return listed[0].tokenKey;
  };
  return { ...server, voprfSecret: voprf.privateKey, rotate };
}

const NO_NAME = 'the library reads no name';

async function rsaListing() {
  const { privateKey, publicKey } = await publicVerif.Issuer.generateKey(BlindRSAMode.PSS, RSA);
  const issuer = new publicVerif.Issuer(BlindRSAMode.PSS, NO_NAME, privateKey, publicKey);
  return { type: BLIND_RSA, issuer, tokenKey: await publicVerif.getPublicKeyBytes(publicKey) };
}

function voprfListing({ privateKey, publicKey }) {
  return { type: VOPRF, issuer: new privateVerif.Issuer(NO_NAME, privateKey, publicKey), tokenKey: publicKey };
}

async function issue(listed, body) {
  const entry = tokenRequestToTokenTypeEntry(body);
  const request =
    entry.value === VOPRF ? privateVerif.TokenRequest.deserialize(body) : publicVerif.TokenRequest.deserialize(entry, body);
  for (const { type, issuer } of listed) {
    if (type === entry.value && request.truncatedTokenKeyId === (await issuer.tokenKeyID()).at(-1)) {
      return (await issuer.issue(request)).serialize();
    }
  }
  throw new Error('unknown key');
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
    if (spent.has(nonce) || !sameBytes(token.authInput.challengeDigest, digest) || !(await origin.verify(token, key))) return false;
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
  const whole = authorization.token.serialize();
  const bytes = flipped(whole, whole.length - 1);
  const [forged] = AuthorizationHeader.parse(entryOf(type), `PrivateToken token="${base64url(bytes)}"`);
  return forged;
}
