import { type Deadline, withDeadline } from './deadline.ts';

/** One event as it came over the wire. */
export interface ServerSentEvent {
  readonly event: string;
  readonly data: string;
  /** The place in the stream after this event, where the server names it. */
  readonly id: string | undefined;
}

/** One line of an event stream, or an event at its end. */
class Assembler {
  #event = '';
  #data: string[] = [];
  #id: string | undefined;

  /** Takes a line; gives the event that an empty one completes. */
  take(line: string): ServerSentEvent | undefined {
    if (line === '') {
      const event = { event: this.#event || 'message', data: this.#data.join('\n'), id: this.#id };
      const isEmpty = this.#data.length === 0;
      this.#event = '';
      this.#data = [];
      return isEmpty ? undefined : event;
    }
    const colon = line.indexOf(':');
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (name === 'event') this.#event = value;
    else if (name === 'data') this.#data.push(value);
    else if (name === 'id' && !value.includes('\0')) this.#id = value;
    return undefined;
  }
}

/**
 * Reads an event stream (https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream). Comments are left out.
 * `silence`: how long it may say nothing at all, comments included.
 */
export async function* readEvents(
  body: ReadableStream<Uint8Array>,
  silence: Deadline = {},
): AsyncGenerator<ServerSentEvent> {
  const reader = body.getReader();
  const leave = () => reader.cancel().catch(() => undefined);
  // At once, also while nobody reads.
  silence.signal?.addEventListener('abort', leave, { once: true });
  const decoder = new TextDecoder();
  const assembler = new Assembler();
  let rest = '';
  try {
    while (true) {
      const { done, value } = await withDeadline(silence, () => reader.read());
      if (done) return;
      rest += decoder.decode(value, { stream: true });
      // A carriage return at the end may be the first half of a line's end.
      const lines = rest.split(/\r\n|\n|\r(?!$)/);
      rest = lines.pop() ?? '';
      for (const line of lines) {
        const event = assembler.take(line);
        if (event !== undefined) yield event;
      }
    }
  } finally {
    silence.signal?.removeEventListener('abort', leave);
    await leave();
  }
}
