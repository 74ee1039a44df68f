import { type ChildProcess, fork } from 'node:child_process';
import { Socket } from 'node:net';
import { setPriority } from 'node:os';
import { z } from 'zod';
import { childEntry, childEnv, childExecArgv } from '#pool/child-arguments';
import { type WorkerMessage, type WorkerRequest, workerMessage } from '#worker/protocol';

/** How a child process ended. */
export interface ChildEnd {
  readonly signal: string | null;
  readonly exitCode: number | null;
  /** The end of its standard error. */
  readonly stderr: string;
}

/** The child exited without a reply. */
export class ChildGone extends Error {
  override readonly name = 'ChildGone';
  readonly end: ChildEnd;

  constructor(end: ChildEnd) {
    super(`The parser process ended (exit code ${end.exitCode}, signal ${end.signal})`);
    this.end = end;
  }
}

const pipeError = z.object({
  code: z.enum(['EPIPE', 'ECONNRESET', 'ERR_STREAM_DESTROYED', 'ERR_STREAM_WRITE_AFTER_END']),
});

const maxStderrChars = 4096;

const lowerPriority = (pid: number | undefined, niceness: number): void => {
  if (pid === undefined || niceness === 0) return;
  try {
    setPriority(pid, niceness);
  } catch {
    // The process has already exited, or the system does not allow it: only the priority differs.
  }
};

/** One parser process. Runs one file at a time. */
export class ParserChild {
  readonly #process: ChildProcess;
  readonly #ended: Promise<ChildEnd>;
  readonly #ready: Promise<WorkerMessage>;
  /** Called if the child ends before the next message. */
  readonly #waiting = new Set<(end: ChildEnd) => void>();
  #end: ChildEnd | undefined;
  #stderr = '';
  filesDone = 0;

  /** @param niceness the process's priority: 0 like the host, up to 19 for work that others do not wait for */
  constructor(memoryLimitMb: number, niceness: number) {
    this.#process = fork(childEntry, [String(memoryLimitMb * 1024 * 1024)], {
      execArgv: childExecArgv(memoryLimitMb),
      env: childEnv(),
      serialization: 'advanced',
      stdio: ['pipe', 'ignore', 'pipe', 'ipc'],
    });
    lowerPriority(this.#process.pid, niceness);
    this.#process.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr = (this.#stderr + text).slice(-maxStderrChars);
    });
    // Writing to a dead child also fails here; #ended reports its end.
    this.#process.stdin?.on('error', () => {});
    this.#ended = new Promise((resolve) => {
      const end = (exitCode: number | null, signal: string | null): void => {
        this.#end ??= { exitCode, signal, stderr: this.#stderr };
        for (const onEnd of [...this.#waiting]) onEnd(this.#end);
        this.#waiting.clear();
        resolve(this.#end);
      };
      this.#process.once('close', end);
      this.#process.once('error', (error) => {
        this.#stderr += error.message;
        if (this.#process.pid === undefined) end(null, null);
      });
    });
    this.#ready = this.#nextMessage();
    this.#ready.catch(() => {});
  }

  /** Waits until the process has started. @throws ChildGone */
  async ready(): Promise<void> {
    this.#keepHostAlive(true);
    await this.#ready;
  }

  /**
   * Parses one file; `send` writes exactly `request.sizeBytes` to the stream.
   * @throws ChildGone when the process ends first; any error of `send`, after ending the process
   */
  async run(request: WorkerRequest, send: (input: NodeJS.WritableStream) => Promise<void>): Promise<WorkerMessage> {
    this.#keepHostAlive(true);
    const { stdin } = this.#process;
    if (!stdin) throw new Error('The parser process has no standard input');
    const nextMessage = this.#nextMessage();
    nextMessage.catch(() => {});
    this.#process.send(request, () => {});
    const [reply] = await Promise.all([nextMessage, send(stdin).catch((error: unknown) => this.#sendingFailed(error))]);
    this.filesDone++;
    this.#keepHostAlive(false);
    return reply;
  }

  /**
   * Ignores a broken pipe: the end of the process explains it better. Any other error is the
   * source's.
   */
  async #sendingFailed(error: unknown): Promise<void> {
    if (!pipeError.safeParse(error).success) throw error;
  }

  /** Kills the process immediately. */
  kill(): void {
    this.#keepHostAlive(true);
    this.#process.kill('SIGKILL');
  }

  /** Resolves when the process has exited. */
  ended(): Promise<ChildEnd> {
    return this.#ended;
  }

  /**
   * Returns the next message. Its listeners are removed afterwards, because a child parses many
   * files.
   */
  #nextMessage(): Promise<WorkerMessage> {
    const { promise, resolve, reject } = Promise.withResolvers<WorkerMessage>();
    const onMessage = (message: unknown): void => {
      this.#waiting.delete(onEnd);
      const parsed = workerMessage.safeParse(message);
      if (parsed.success) resolve(parsed.data);
      else reject(parsed.error);
    };
    const onEnd = (end: ChildEnd): void => {
      this.#process.removeListener('message', onMessage);
      reject(new ChildGone(end));
    };
    this.#process.once('message', onMessage);
    this.#waiting.add(onEnd);
    if (this.#end !== undefined) onEnd(this.#end);
    return promise;
  }

  /**
   * Sets whether the child keeps the host alive. An idle one must not: a program can forget to
   * close its pool.
   */
  #keepHostAlive(alive: boolean): void {
    const { stdin, stderr, channel } = this.#process;
    for (const handle of [this.#process, channel, stdin, stderr]) {
      if (handle instanceof Socket || handle === this.#process || handle === channel) {
        if (alive) handle?.ref();
        else handle?.unref();
      }
    }
  }
}
