/** One server-sent event. */
export interface SseEvent {
  readonly event: string;
  // biome-ignore lint/suspicious/noExplicitAny: each event has its own shape.
  readonly data: any;
}

/** Parses the events of a stream, without comments (WHATWG HTML, 9.2.6). */
export function parseEvents(text: string): SseEvent[] {
  const blocks = text.split(/\r?\n\r?\n/).map((block) => block.split(/\r?\n/));
  return blocks.flatMap((lines) => {
    const event = lines
      .find((line) => line.startsWith('event:'))
      ?.slice(6)
      .trim();
    const data = lines.filter((line) => line.startsWith('data:')).map((line) => line.slice(5).replace(/^ /, ''));
    return event === undefined ? [] : [{ event, data: JSON.parse(data.join('\n')) }];
  });
}
