import { LecternConnectionError } from './errors.ts';
import type { EventOf, Schemas } from './types.ts';

/** A complete reply, collected from its stream. */
export interface FinalReply {
  readonly id: string;
  readonly conversationId: string;
  readonly content: string;
  readonly sources: readonly Schemas['ChatSource'][];
  readonly answer_confidence: ReplyEnd['answer_confidence'];
  readonly usage: ReplyEnd['usage'];
}

/** A finished run of an agent, collected from its stream. */
export interface FinalRun {
  readonly runId: string;
  readonly conversationId: string;
  readonly content: string;
  readonly usage: RunEnd['usage'];
}

type ReplyEvent = EventOf<'streamChat'>;
type ReplyEnd = Extract<ReplyEvent, { event: 'message_end' }>['data'];
type RunEvent = EventOf<'executeAgent'>;
type RunEnd = Extract<RunEvent, { event: 'run_complete' }>['data'];

/**
 * A stream of events that can be read once: event by event with `for await`, or with one of the helpers
 * of its subclasses.
 */
class EventStream<E> implements AsyncIterableIterator<E> {
  readonly #events: AsyncGenerator<E, void>;

  constructor(events: AsyncGenerator<E, void>) {
    this.#events = events;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<IteratorResult<E, void>> {
    return this.#events.next();
  }

  /** Ends the stream. The server stops the reply. */
  return(): Promise<IteratorResult<E, void>> {
    return this.#events.return();
  }
}

const incomplete = () => new LecternConnectionError('The stream ended before its last event. Was it read before?');

/** The stream of a reply. */
export class ReplyStream extends EventStream<ReplyEvent> {
  /** Yields the text of the reply, piece by piece. */
  async *text(): AsyncGenerator<string, void> {
    for await (const { event, data } of this) if (event === 'content_delta') yield data.delta;
  }

  /** Reads the whole stream and returns the reply. */
  async final(): Promise<FinalReply> {
    let start: Extract<ReplyEvent, { event: 'message_start' }>['data'] | undefined;
    let sources: FinalReply['sources'] = [];
    let content = '';
    for await (const { event, data } of this) {
      if (event === 'message_start') start = data;
      if (event === 'content_delta') content += data.delta;
      if (event === 'sources') sources = data.sources;
      if (event === 'message_end' && start !== undefined) {
        const { id, conversationId } = start;
        return { id, conversationId, content, sources, answer_confidence: data.answer_confidence, usage: data.usage };
      }
    }
    throw incomplete();
  }
}

/** The stream of an agent's run. */
export class RunStream extends EventStream<RunEvent> {
  /** Yields the text of the answer, piece by piece. */
  async *text(): AsyncGenerator<string, void> {
    for await (const { event, data } of this) if (event === 'content') yield data.content;
  }

  /** Reads the whole stream and returns the run. */
  async final(): Promise<FinalRun> {
    let start: Extract<RunEvent, { event: 'run_start' }>['data'] | undefined;
    let content = '';
    for await (const { event, data } of this) {
      if (event === 'run_start') start = data;
      if (event === 'content') content += data.content;
      if (event === 'run_complete' && start !== undefined) {
        const { runId, conversationId } = start;
        return { runId, conversationId, content, usage: data.usage };
      }
    }
    throw incomplete();
  }
}
