/**
 * A parsed item id: `channel__threadTs`, or `channel__threadTs__fileId` for a file of the thread's
 * first message.
 */
export interface ThreadId {
  readonly channel: string;
  readonly ts: string;
  readonly file: string | undefined;
}

const FORM = /^([A-Z0-9]+)__(\d{1,12}\.\d{1,9})(?:__([A-Za-z0-9]+))?$/;

/** Parses an item id. Returns undefined if it is malformed. */
export function parseThreadId(id: string): ThreadId | undefined {
  const [, channel, ts, file] = FORM.exec(id) ?? [];
  return channel === undefined || ts === undefined ? undefined : { channel, ts, file };
}

export const threadItemId = (channel: string, ts: string): string => `${channel}__${ts}`;

export const fileItemId = (channel: string, ts: string, file: string): string => `${channel}__${ts}__${file}`;

/**
 * Converts the time of a message: `ts` is seconds since 1970, with a serial number after the point.
 */
export const timeOf = (ts: string): Date => new Date(Math.floor(Number(ts) * 1_000));
