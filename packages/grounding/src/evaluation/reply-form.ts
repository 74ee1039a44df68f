import { findMarkers, withoutMarkers } from '#citations/markers';
import { squeeze } from '#quality/cited-text';
import { CORRECTION_DIVIDER } from '#quality/correction';
import { isRefusal } from '#quality/refusal';

/** A reply as a client receives it. */
export interface ReceivedReply {
  readonly content: string;
  /** The cited documents, in the order of their markers. */
  readonly sources: readonly { readonly excerpt: string }[];
  /** The signal of the same name. Undefined if it is not known. */
  readonly violationFree?: number | undefined;
}

/** What can be checked in a reply without knowing the answer. */
export interface ReplyForm {
  /** True if it has markers, and each of them belongs to a source with an excerpt. */
  readonly citesValidly: boolean;
  /** True if it states that there is no answer. */
  readonly abstains: boolean;
  /** True if a correction was appended. */
  readonly isCorrected: boolean;
  /** True if it keeps all quality rules. Undefined if that is not known. */
  readonly keepsRules: boolean | undefined;
}

/** The boundaries of quotes: after sentences, lead-ins and lines. */
const BOUNDARY = /(?<=[.!?:。！？：])\s+|\n/u;
/** Shorter parts can be in an excerpt by chance. */
const MIN_QUOTE = 12;

/** Removes the parts of a reply that its excerpts contain: a document can state that something was not found. */
function withoutQuotes(text: string, sources: ReceivedReply['sources']): string {
  const excerpts = sources.map(({ excerpt }) => squeeze(excerpt));
  const isQuote = (part: string): boolean =>
    part.length >= MIN_QUOTE && excerpts.some((excerpt) => excerpt.includes(part));
  return text
    .split(BOUNDARY)
    .filter((part) => !isQuote(squeeze(withoutMarkers(part))))
    .join(' ');
}

/** Checks the form of a reply; of a corrected one, the form of the correction. */
export function replyForm({ content, sources, violationFree }: ReceivedReply): ReplyForm {
  const parts = content.split(CORRECTION_DIVIDER);
  const text = parts.at(-1) ?? '';
  const markers = findMarkers(text);
  return {
    citesValidly: markers.length > 0 && markers.every(({ marker }) => /\S/.test(sources[marker - 1]?.excerpt ?? '')),
    abstains: isRefusal(withoutQuotes(text, sources)),
    isCorrected: parts.length > 1,
    keepsRules: violationFree === undefined ? undefined : violationFree === 1,
  };
}
