import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';

const SCRIPT = new URL('./stranger.mjs', import.meta.url);
const TIMEOUT_MS = 120_000;

/** What a stranger tries. */
export interface StrangerTask {
  readonly grpc: readonly {
    readonly address: string;
    readonly calls: readonly { readonly path: string; readonly headers: Readonly<Record<string, string>> }[];
  }[];
  readonly http: readonly {
    readonly url: string;
    readonly method: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: string;
  }[];
  /** Bytes in base64, and the expression that ends the waiting. */
  readonly tcp: readonly { readonly address: string; readonly bytes: string; readonly until: string }[];
  readonly files: readonly string[];
}

/** What came of it: gRPC's statuses, HTTP's statuses, what was heard, and the files that could be read. */
export interface StrangerReport {
  readonly uid: number;
  readonly grpc: readonly (readonly (number | string)[])[];
  readonly http: readonly (number | string)[];
  readonly tcp: readonly string[];
  readonly readable: readonly string[];
}

/** The ids of the account `nobody`, where this process may become it and it may run Node; undefined elsewhere. */
export function nobody(): { readonly uid: number; readonly gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const ask = (flag: string) => Number(spawnSync('id', [flag, 'nobody'], { encoding: 'utf8' }).stdout);
  const account = { uid: ask('-u'), gid: ask('-g') };
  if (!(account.uid > 0)) return undefined;
  const probe = spawnSync(process.execPath, ['--version'], { ...account, cwd: '/', env: {} });
  return probe.status === 0 ? account : undefined;
}

/** Tries it as the account, else as this one, with nothing in its environment. */
export async function asStranger(task: StrangerTask, account = nobody()): Promise<StrangerReport> {
  const child = spawn(process.execPath, ['--input-type=module', '-'], {
    ...account,
    cwd: '/',
    env: {},
    stdio: ['pipe', 'pipe', 'inherit'],
    timeout: TIMEOUT_MS,
  });
  child.stdin.end(`globalThis.STRANGER_TASK = ${JSON.stringify(task)};\n${await readFile(SCRIPT, 'utf8')}`);
  const [report] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  return JSON.parse(report);
}
