// The program of the folder rust, which blinds, signs and checks tokens of type 2; HTTP is done here.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { MediaType } from '@cloudflare/privacypass-ts';
import { toHex } from './bytes.mjs';
import { serveIssuer } from './server.mjs';

const BLIND_RSA = 2;

export class Rust {
  #child;
  #waiting = [];
  #end = null;

  constructor(program) {
    this.#child = spawn(program, [], { stdio: ['pipe', 'pipe', 'inherit'] });
    this.#child.stdin.on('error', () => {}); // the end of the program is reported below
    this.#child.once('error', (e) => this.#ended(e));
    this.#child.once('exit', (code) => this.#ended(new Error(`the Rust program: ended with ${code} (expected: running)`)));
    createInterface({ input: this.#child.stdout }).on('line', (line) => this.#waiting.shift()?.resolve(line));
  }

  /** What the program responds to a command, as bytes; throws its text when it refuses. Responses have the order of commands. */
  async ask(...words) {
    if (this.#end) throw this.#end;
    const line = await new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
      this.#child.stdin.write(`${words.map((w) => (typeof w === 'string' ? w : toHex(w))).join(' ')}\n`);
    });
    const [, state, text] = /^(ok|error) (.*)$/.exec(line) ?? [line, 'error', line];
    if (state !== 'ok') throw new Error(`the Rust program: ${text}`);
    return new Uint8Array(Buffer.from(text, 'hex'));
  }

  close() {
    this.#child.kill();
  }

  #ended(error) {
    this.#end = error;
    this.#waiting.splice(0).forEach(({ reject }) => reject(error));
  }
}

export async function startRustIssuer(rust) {
  const tokenKey = await rust.ask('token-key');
  const server = await serveIssuer({ listKeys: () => [[BLIND_RSA, tokenKey]], issue: (request) => rust.ask('sign', request) });
  return { ...server, tokenKey };
}

/** A token request of the Rust client: its bytes, and how its response becomes a token. One at a time. */
export async function blindInRust(rust, variant, challenge, tokenKey) {
  const request = await rust.ask('blind', variant, challenge, tokenKey);
  return { request, finish: (response) => rust.ask('finalize', response) };
}

/** Sends a token request to the issuer with that directory; the response, or an Error with its status. */
export async function requestToken(directory, request) {
  const listed = await (await fetch(directory)).json();
  const response = await fetch(new URL(listed['issuer-request-uri'], directory), {
    method: 'POST',
    headers: { 'Content-Type': MediaType.PRIVATE_TOKEN_REQUEST },
    body: request,
  });
  if (response.status !== 200) throw new Error(`token request: status ${response.status} (expected: 200)`);
  return new Uint8Array(await response.arrayBuffer());
}
