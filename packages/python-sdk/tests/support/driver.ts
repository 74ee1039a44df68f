import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const SCRIPT = fileURLToPath(new URL('driver.py', import.meta.url));

/** The folder of the generated package. */
export const MODULES = fileURLToPath(new URL('../../src/gen', import.meta.url));

/** A call of a method, or the chunks of a stream to parse, in hexadecimal digits. */
type Command =
  | {
      readonly async: boolean;
      readonly method: string;
      readonly args: readonly unknown[];
      readonly kwargs: Readonly<Record<string, unknown>>;
      readonly options?: Readonly<Record<string, unknown>>;
    }
  | { readonly chunks: readonly string[] };

/** A Python process that calls the client. */
export interface Driver {
  /** Returns the result of a command. Throws the error that it raises. */
  run(command: Command): Promise<unknown>;
  stop(): Promise<void>;
}

/** Starts the process. `settings` are the arguments of the client. */
export function startDriver(python: string, settings: Readonly<Record<string, unknown>>): Driver {
  const env = { PATH: process.env.PATH, PYTHONPATH: MODULES, PYTHONDONTWRITEBYTECODE: '1' };
  const child = spawn(python, [SCRIPT], { env, stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const write = (value: unknown) => child.stdin.write(`${JSON.stringify(value)}\n`);
  write(settings);
  return {
    run: async (command) => {
      write(command);
      const { value, done } = await lines.next();
      if (done) throw new Error('The Python process ended.');
      const { result, error } = JSON.parse(value);
      if (error !== undefined) throw new Error(error);
      return result;
    },
    stop: async () => {
      if (child.exitCode !== null) return;
      const closed = once(child, 'close');
      child.stdin.end();
      await closed;
    },
  };
}
