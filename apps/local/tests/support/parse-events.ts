import { createParser } from 'eventsource-parser';

/** A server-sent event. */
export interface SseEvent {
  readonly event: string;
  // biome-ignore lint/suspicious/noExplicitAny: each event has its own shape, which the tests inspect
  readonly data: any;
}

/** Parses the events of a complete stream. Skips events without a name. */
export function parseEvents(text: string): SseEvent[] {
  const events: SseEvent[] = [];
  const parser = createParser({
    onEvent: ({ event, data }) => {
      if (event !== undefined) events.push({ event, data: JSON.parse(data) });
    },
  });
  parser.feed(text);
  return events;
}
