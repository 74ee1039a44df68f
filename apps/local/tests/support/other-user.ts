import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';

const SCRIPT = new URL('./other-user.mjs', import.meta.url);
const TIMEOUT_MS = 120_000;

/** The requests to try. */
export interface OtherUserTask {
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
  /** Bytes in base64, and the regular expression of a complete response. */
  readonly tcp: readonly { readonly address: string; readonly bytes: string; readonly until: string }[];
  readonly files: readonly string[];
}

/** The results: gRPC and HTTP statuses, received bytes, and the files that could be read. */
export interface OtherUserReport {
  readonly uid: number;
  readonly grpc: readonly (readonly (number | string)[])[];
  readonly http: readonly (number | string)[];
  readonly tcp: readonly string[];
  readonly readable: readonly string[];
}

/**
 * Returns the ids of the account `nobody`, or undefined if this process cannot switch to it or it
 * cannot run Node.
 */
export function nobody(): { readonly uid: number; readonly gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const readId = (flag: string) => Number(spawnSync('id', [flag, 'nobody'], { encoding: 'utf8' }).stdout);
  const account = { uid: readId('-u'), gid: readId('-g') };
  if (!(account.uid > 0)) return undefined;
  const probe = spawnSync(process.execPath, ['--version'], { ...account, cwd: '/', env: {} });
  return probe.status === 0 ? account : undefined;
}

/** Runs the task as that account, otherwise as this one, with an empty environment. */
export async function runAsOtherUser(task: OtherUserTask, account = nobody()): Promise<OtherUserReport> {
  const child = spawn(process.execPath, ['--input-type=module', '-'], {
    ...account,
    cwd: '/',
    env: {},
    stdio: ['pipe', 'pipe', 'inherit'],
    timeout: TIMEOUT_MS,
  });
  child.stdin.end(`globalThis.OTHER_USER_TASK = ${JSON.stringify(task)};\n${await readFile(SCRIPT, 'utf8')}`);
  const [report] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  return JSON.parse(report);
}
