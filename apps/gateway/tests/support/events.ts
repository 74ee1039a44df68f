/** An event as it came over the wire. */
export interface ReceivedEvent {
  readonly event: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into events of every shape
  readonly data: any;
}

/** Reads Server-Sent Events strictly: an `event` line, one `data` line, a blank line; comments stand alone. */
export function parseEvents(text: string): ReceivedEvent[] {
  const blocks = text.split('\n\n').filter((block) => block !== '' && !block.startsWith(':'));
  return blocks.map((block) => {
    const match = /^event: (\w+)\ndata: (.*)$/.exec(block);
    if (match === null) throw new Error(`not an event: ${block}`);
    return { event: String(match[1]), data: JSON.parse(String(match[2])) };
  });
}
