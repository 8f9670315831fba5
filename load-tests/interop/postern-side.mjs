// The programs of this repository, each its own process started by the launcher.
import { spawn } from 'node:child_process';
import { createWriteStream, readFileSync } from 'node:fs';
import { join } from 'node:path';

const START_MILLIS = 60_000;
const COMMAND_MILLIS = 60_000;
const END_MILLIS = 10_000;

export class Postern {
  #launcher;
  #logs;
  #running = new Set();
  #closed = false;

  constructor(launcher, logs) {
    this.#launcher = launcher;
    this.#logs = logs;
  }

  /** Starts what runs until it is ended, and waits for its line that matches; returns the match. */
  async start(name, args, line, env = {}) {
    const log = join(this.#logs, `${name}.log`);
    const child = this.#spawn(args, env);
    const file = createWriteStream(log);
    child.stdout.pipe(file, { end: false });
    child.stderr.pipe(file, { end: false });
    let text = '';
    return new Promise((resolve, reject) => {
      const fail = (why) => reject(new Error(`postern ${name}: ${why} (expected: ${line}); its log is ${log}`));
      const clock = setTimeout(() => fail(`nothing within ${START_MILLIS / 1000} s`), START_MILLIS);
      child.once('exit', (code) => {
        clearTimeout(clock);
        fail(`ended with ${code}`);
      });
      child.stdout.on('data', (data) => {
        text += data;
        const match = line.exec(text);
        if (match) {
          clearTimeout(clock);
          resolve(match);
        }
      });
    });
  }

  /** Runs a command to its end. */
  async run(args) {
    const child = this.#spawn(args);
    let out = '';
    let err = '';
    child.stdout.on('data', (data) => (out += data));
    child.stderr.on('data', (data) => (err += data));
    const clock = setTimeout(() => child.kill('SIGKILL'), COMMAND_MILLIS);
    const code = await new Promise((resolve) => child.once('close', resolve));
    clearTimeout(clock);
    return { code, out, err };
  }

  async startIssuer(keyFolder) {
    const args = ['issuer', '--address', '127.0.0.1:0', '--types', '2,1', '--private-keys', keyFolder, '--json'];
    const [line] = await this.start('issuer', args, /\{[^]*?\}/);
    return JSON.parse(line);
  }

  /** Starts a gateway with that configuration, and returns the address of its listener. */
  async startGateway(name, configuration, { args = [], env } = {}) {
    const line = /listener (?:web|issuer) [^]* on [^ ]*?(127\.0\.0\.1:\d+)[^]*ready/;
    const [, address] = await this.start(name, ['run', '-c', configuration, ...args], line, env);
    return `http://${address}`;
  }

  /** Ends everything that still runs. */
  async close() {
    this.#closed = true;
    await Promise.all([...this.#running].map(end));
  }

  #spawn(args, env) {
    if (this.#closed) throw new Error('postern: ended (expected: running)');
    const child = spawn(this.#launcher, args, { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...env } });
    this.#running.add(child);
    child.once('close', () => this.#running.delete(child));
    return child;
  }
}

/** The scalar in a file as `postern issuer --private-keys` writes it. */
export const readSecret = (file) => readFileSync(file, 'latin1').trim().replace(/^voprf-p384:/, '');

/** A file as `privacy-pass.issuers[].private-key-files` names it. */
export const secretText = (scalar) => `voprf-p384:${scalar}\n`;

function end(child) {
  return new Promise((resolve) => {
    const clock = setTimeout(() => child.kill('SIGKILL'), END_MILLIS);
    child.once('close', () => {
      clearTimeout(clock);
      resolve();
    });
    child.kill('SIGTERM');
  });
}
