import type { ImapSession, Step } from '#imap/open-session';

/** Providers limit the connections of an account, some to ten for all its programs. */
const MAX_SESSIONS = 3;
const IDLE_MS = 10_000;

/** The sessions of a connector. They stay open briefly, so that small reads share them. */
export interface Sessions {
  /** Runs `use` with a session of the mailbox. Throws `SourceError`, or the signal's reason. */
  use<T>(signal: AbortSignal, mailbox: string, use: (step: Step) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

interface Idle {
  readonly mailbox: string;
  readonly session: ImapSession;
  readonly timer: NodeJS.Timeout;
}

export function createSessions(open: (signal: AbortSignal, mailbox: string) => Promise<ImapSession>): Sessions {
  let idle: Idle[] = [];
  let busy = 0;
  let closed = false;
  const waiting: (() => void)[] = [];

  const drop = (entry: Idle) => {
    idle = idle.filter((other) => other !== entry);
    clearTimeout(entry.timer);
    entry.session.close();
  };

  /** Waits for one of the places. */
  const enter = async (signal: AbortSignal): Promise<void> => {
    signal.throwIfAborted();
    if (busy < MAX_SESSIONS) {
      busy += 1;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const onAbort = () => {
        waiting.splice(waiting.indexOf(start), 1);
        reject(signal.reason);
      };
      const start = () => {
        signal.removeEventListener('abort', onAbort);
        resolve();
      };
      signal.addEventListener('abort', onAbort, { once: true });
      waiting.push(start);
    });
  };
  const leave = () => {
    const next = waiting.shift();
    // The place passes on to the next one.
    if (next === undefined) busy -= 1;
    else next();
  };

  const acquire = async (signal: AbortSignal, mailbox: string): Promise<ImapSession> => {
    for (;;) {
      const entry = idle.find((candidate) => candidate.mailbox === mailbox);
      if (entry === undefined) break;
      idle = idle.filter((other) => other !== entry);
      clearTimeout(entry.timer);
      if (entry.session.isUsable) return entry.session;
    }
    const [oldest] = idle;
    if (oldest !== undefined && idle.length + busy > MAX_SESSIONS) drop(oldest);
    return open(signal, mailbox);
  };
  const keep = (mailbox: string, session: ImapSession) => {
    if (closed || !session.isUsable) return session.close();
    const entry: Idle = { mailbox, session, timer: setTimeout(() => drop(entry), IDLE_MS).unref() };
    idle.push(entry);
  };

  return {
    use: async (signal, mailbox, use) => {
      await enter(signal);
      try {
        const session = await acquire(signal, mailbox);
        try {
          return await session.run(signal, use);
        } finally {
          keep(mailbox, session);
        }
      } finally {
        leave();
      }
    },
    close: async () => {
      closed = true;
      for (const entry of idle) drop(entry);
    },
  };
}
