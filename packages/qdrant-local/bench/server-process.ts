import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';

// The unit of the times in /proc/PID/stat is 10 ms on every Linux that Node supports.
const ticksPerSecond = 100;
const startTimeoutMs = 120_000;
const requestTimeoutMs = 120_000;

/** A server in a separate process, so that its memory and CPU time can be measured. */
export class ServerProcess {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 64 });
  readonly #process: ChildProcess;
  readonly #url: string;

  private constructor(process: ChildProcess, url: string) {
    this.#process = process;
    this.#url = url;
  }

  /**
   * Starts `src/main.ts` of a package folder with a data folder.
   *
   * @throws Error if the server is not ready in time
   */
  static async start(packageFolder: string, dataDir: string): Promise<ServerProcess> {
    const args = [join(packageFolder, 'src/main.ts'), '--data', dataDir, '--port', '0'];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    const ready = new Promise<string>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error('the server was not ready in time')), startTimeoutMs);
      child.stdout.on('data', (text) => {
        const url = /http:\S+/.exec(String(text))?.[0];
        if (!url) return;
        clearTimeout(timer);
        resolve(url);
      });
      child.once('exit', (code) => reject(new Error(`the server exited with code ${code}`)));
    });
    return new ServerProcess(child, await ready);
  }

  /** Sends JSON and returns the response's text. @throws Error for any status other than 200 */
  send(method: 'PUT' | 'POST', path: string, body: string): Promise<string> {
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    const options = { method, agent: this.#agent, headers, timeout: requestTimeoutMs };
    const sent = request(`${this.#url}${path}`, options, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        if (response.statusCode === 200) resolve(text);
        else reject(new Error(`${method} ${path}: ${response.statusCode} ${text}`));
      });
    });
    sent.on('timeout', () => sent.destroy(new Error(`${method} ${path}: no response in time`)));
    sent.on('error', reject);
    sent.end(body);
    return promise;
  }

  /** Returns the CPU time so far, in milliseconds; NaN if unavailable. */
  cpuMs(): number {
    try {
      const fields = readFileSync(`/proc/${this.#process.pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
      return ((Number(fields[11]) + Number(fields[12])) * 1000) / ticksPerSecond;
    } catch {
      return Number.NaN;
    }
  }

  /** Returns the current and peak memory in MiB; NaN if unavailable. */
  memoryMiB(): { now: number; peak: number } {
    const read = (text: string, field: string): number =>
      Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(text)?.[1] ?? Number.NaN) / 1024;
    try {
      const text = readFileSync(`/proc/${this.#process.pid}/status`, 'utf8');
      return { now: read(text, 'VmRSS'), peak: read(text, 'VmHWM') };
    } catch {
      return { now: Number.NaN, peak: Number.NaN };
    }
  }

  async stop(): Promise<void> {
    this.#agent.destroy();
    const ended = once(this.#process, 'exit');
    this.#process.kill('SIGTERM');
    await ended;
  }
}
