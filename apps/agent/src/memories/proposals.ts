import { sliceSpan, splitSentences } from '@lectern/text';
import type { KindName } from '#memories/memory-kind';

/** A memory proposed from a user's sentence. */
export interface Proposal {
  readonly kind: KindName;
  readonly content: string;
  readonly importance: number;
}

const MAX_PROPOSALS = 3;
const LENGTH = { min: 8, max: 300 };

/** Patterns of sentences about lasting facts. The first match decides. */
const PATTERNS: readonly (readonly [RegExp, KindName, number])[] = [
  [/^(?:please,? )?(?:remember|note|keep in mind|don['’]t forget|bitte merke? dir|merke? dir)\b[:,]?/i, 'fact', 0.7],
  [/^(?:please,? )?(?:from now on|always|never|ab jetzt|bitte immer|immer|nie)\b/i, 'preference', 0.7],
  [
    /^(?:i|we) (?:really |strongly )?(?:prefer|like|love|hate|dislike|don['’]t like|would rather)\b/i,
    'preference',
    0.6,
  ],
  [/^(?:ich|wir) (?:bevorzugen?|mag|mögen|möchten? lieber)\b/i, 'preference', 0.6],
  [
    /^(?:when(?:ever)?|before|after|if) .{3,120}?,? (?:we|you) (?:must|have to|need to|always|should)\b/i,
    'procedure',
    0.6,
  ],
  [/^(?:my|our) [\p{L}\p{N}'’ -]{2,60} (?:is|are)\b/iu, 'fact', 0.5],
  [/^(?:i am|i['’]m|we are|we['’]re|i work|we work|i live|we use|i use|call me)\b/i, 'fact', 0.5],
  [/^(?:meine?|unsere?) [\p{L}\p{N} -]{2,60} (?:ist|sind|heißt)\b/iu, 'fact', 0.5],
  [/^(?:ich bin|ich heiße|ich arbeite|wir arbeiten|wir verwenden)\b/i, 'fact', 0.5],
];

/** Statements about the moment, which will be wrong tomorrow. */
const TRANSIENT =
  /\b(?:today|right now|at the moment|currently|looking for|trying to|wondering|stuck|confused|sorry|heute|gerade|suche)\b/i;
/** Secrets, which must not be stored. */
const SECRET =
  /pass(?:word|wort|code|phrase)|\bpin\b|api.?key|token|secret|credential|iban|credit card|kreditkarte|\d{8,}|\S{28,}/i;
/** Instructions to the model instead of facts about the user. */
const INSTRUCTION = /\b(?:ignore|disregard|override|bypass|system prompt|instructions?|jailbreak|administrator)\b/i;

/**
 * Returns what is worth remembering from a user's message. Uses fixed patterns and only the user's
 * own words, so that neither an answer nor tool output can write a memory. Skips sentences with
 * secrets, about the moment, or with instructions to the model.
 */
export function proposalsOf(message: string): readonly Proposal[] {
  const whole = { start: 0, end: message.length };
  const sentences = Array.from(splitSentences(message, whole, 'message'), (span) => sliceSpan(message, span));
  return sentences.flatMap((text) => proposalOf(text.trim().replaceAll(/\s+/g, ' ')) ?? []).slice(0, MAX_PROPOSALS);
}

function proposalOf(text: string): Proposal | undefined {
  if (text.length < LENGTH.min || text.length > LENGTH.max || text.endsWith('?')) return undefined;
  if (TRANSIENT.test(text) || SECRET.test(text) || INSTRUCTION.test(text)) return undefined;
  const form = PATTERNS.find(([pattern]) => pattern.test(text));
  if (form === undefined) return undefined;
  const [, kind, importance] = form;
  return { kind, importance, content: `The user said: ${text}` };
}
