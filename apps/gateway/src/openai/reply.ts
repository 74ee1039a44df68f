import type { ChatEvent, Confidence, Mark, Source, ToolCall, Usage } from '@lectern/contracts';
import { AppError } from '@lectern/service-kit';
import { confidence } from '#operations/chat/mapping';

/** A complete reply. */
export interface Reply {
  /** Without the prefix of its kind. */
  readonly key: string;
  readonly content: string;
  readonly calls: readonly ToolCall[];
  readonly sources: readonly Source[];
  readonly marks: readonly Mark[];
  readonly usage: Usage | undefined;
  readonly confidence: Confidence | undefined;
  readonly stopReason: string;
  /** The documents that it is based on. */
  readonly documents: readonly string[];
}

/** Returns an id without its prefix. */
export const keyOf = (id: string): string => id.slice(id.indexOf('_') + 1);

/** Collects the events of a reply. */
export class ReplyCollector {
  #key = '';
  #content: string[] = [];
  #calls: readonly ToolCall[] = [];
  #sources: readonly Source[] = [];
  #marks: readonly Mark[] = [];

  get key(): string {
    return this.#key;
  }

  /** Adds an event. Returns the reply with the last one. */
  add({ event }: ChatEvent): Reply | undefined {
    if (event?.$case === 'messageStart') this.#key = keyOf(event.value.id);
    if (event?.$case === 'contentDelta') this.#content.push(event.value.delta);
    if (event?.$case === 'toolCalls') this.#calls = event.value.calls;
    if (event?.$case === 'sources') {
      this.#sources = event.value.sources;
      this.#marks = event.value.marks;
    }
    if (event?.$case !== 'messageEnd') return undefined;
    const { usage, answerConfidence, stopReason, documents } = event.value;
    return {
      key: this.#key,
      content: this.#content.join(''),
      calls: this.#calls,
      sources: this.#sources,
      marks: this.#marks,
      usage,
      confidence: answerConfidence,
      stopReason,
      documents,
    };
  }
}

/** Returns the complete reply. Throws what its events throw. */
export async function collect(events: AsyncIterable<ChatEvent>): Promise<Reply> {
  const collector = new ReplyCollector();
  for await (const event of events) {
    const reply = collector.add(event);
    if (reply !== undefined) return reply;
  }
  throw new AppError('internal_error', 'The reply ended without its last event.');
}

/** Where documents without a URL can be read. */
export type DocumentUrl = (id: string) => string;

/** Where a text cites a document. Offsets are in UTF-16 units, so that JavaScript can slice the text. */
export const urlCitations = ({ marks, sources }: Pick<Reply, 'marks' | 'sources'>, urlOf: DocumentUrl) =>
  marks.flatMap(({ source, start, end }) => {
    const cited = sources[source];
    if (cited === undefined) return [];
    return { start_index: start, end_index: end, title: cited.title, url: cited.url || urlOf(cited.id) };
  });

/** Additions to OpenAI's replies: the cited documents with their passages, and the confidence. */
export const additions = ({ sources, ...reply }: Pick<Reply, 'sources' | 'confidence'>, urlOf: DocumentUrl) => ({
  citations: sources.map(({ id, title, excerpt, url }, at) => ({
    index: at + 1,
    document_id: id,
    title,
    url: url || urlOf(id),
    excerpt,
  })),
  answer_confidence: confidence(reply.confidence),
});
