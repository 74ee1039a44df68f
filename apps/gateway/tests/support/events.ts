/** An event as it came over the wire. */
export interface ReceivedEvent {
  readonly event: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into events of every shape
  readonly data: any;
  readonly id?: string;
}

/** Reads Server-Sent Events strictly: an `event` line, one `data` line, an `id` line where there is one, a blank line; comments stand alone. */
export function parseEvents(text: string): ReceivedEvent[] {
  const blocks = text.split('\n\n').filter((block) => block !== '' && !block.startsWith(':'));
  return blocks.map((block) => {
    const match = /^event: (\w+)\ndata: (.*)(?:\nid: (.*))?$/.exec(block);
    if (match === null) throw new Error(`not an event: ${block}`);
    const [, event = '', data = '', id] = match;
    return { event, data: JSON.parse(data), ...(id === undefined ? {} : { id }) };
  });
}
