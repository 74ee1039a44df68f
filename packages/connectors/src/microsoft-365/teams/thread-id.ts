/** The place of a thread: `teams/<team>/<channel>/<message>`. */
export interface ThreadPlace {
  readonly team: string;
  readonly channel: string;
  readonly message: string;
}

/** Ids without a slash or white space. Ids of channels contain `:` and `@`. */
export const PART_ID = /^[^\s/]{1,500}$/;
const FORM = /^teams\/([^\s/]+)\/([^\s/]+)\/([^\s/]+)$/;

export const threadItemId = ({ team, channel, message }: ThreadPlace): string => `teams/${team}/${channel}/${message}`;

/** Parses the id of an item; undefined if it is not a thread. */
export function parseThreadId(id: string): ThreadPlace | undefined {
  const [, team, channel, message] = FORM.exec(id) ?? [];
  if (team === undefined || channel === undefined || message === undefined) return undefined;
  return { team, channel, message };
}
