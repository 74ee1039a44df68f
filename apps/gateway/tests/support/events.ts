/** A parsed Server-Sent Event. */
export interface ReceivedEvent {
  readonly event: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read events of every shape
  readonly data: any;
  readonly id?: string;
}

/**
 * Parses Server-Sent Events strictly: an `event` line, one `data` line, an optional `id` line and a
 * blank line. Comments are separate blocks.
 */
export function parseEvents(text: string): ReceivedEvent[] {
  const blocks = text.split('\n\n').filter((block) => block !== '' && !block.startsWith(':'));
  return blocks.map((block) => {
    const match = /^event: (\w+)\ndata: (.*)(?:\nid: (.*))?$/.exec(block);
    if (match === null) throw new Error(`invalid event: ${block}`);
    const [, event = '', data = '', id] = match;
    return { event, data: JSON.parse(data), ...(id === undefined ? {} : { id }) };
  });
}
