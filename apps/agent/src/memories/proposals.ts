import type { KindName } from '#memories/memory-kind';

/** What a user's sentence says that is worth remembering. */
export interface Proposal {
  readonly kind: KindName;
  readonly content: string;
  readonly importance: number;
}

const MAX_PROPOSALS = 3;
const LENGTH = { min: 8, max: 300 };

/** Sentences of a form that speaks of lasting things, the first form that fits. */
const FORMS: readonly (readonly [RegExp, KindName, number])[] = [
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

/** What passes by: the state of the moment, which would be wrong tomorrow. */
const PASSING =
  /\b(?:today|right now|at the moment|currently|looking for|trying to|wondering|stuck|confused|sorry|heute|gerade|suche)\b/i;
/** What nobody should keep. */
const SECRET =
  /pass(?:word|wort|code|phrase)|\bpin\b|api.?key|token|secret|credential|iban|credit card|kreditkarte|\d{8,}|\S{28,}/i;
/** What speaks to the model about its rules rather than of the user. */
const ORDER = /\b(?:ignore|disregard|override|bypass|system prompt|instructions?|jailbreak|administrator)\b/i;

/**
 * What is worth remembering of a user's message. By fixed forms and of the user's own words alone: neither an answer nor a tool's output can write
 * a memory. Sentences that hold secrets, that speak of the moment, or to the model about its rules, are left out.
 */
export function proposalsOf(message: string): readonly Proposal[] {
  const sentences = message.split(/(?<=[.!?。])\s+|\n+/).map((text) => text.trim().replaceAll(/\s+/g, ' '));
  return sentences.flatMap((text) => proposalOf(text) ?? []).slice(0, MAX_PROPOSALS);
}

function proposalOf(text: string): Proposal | undefined {
  if (text.length < LENGTH.min || text.length > LENGTH.max || text.endsWith('?')) return undefined;
  if (PASSING.test(text) || SECRET.test(text) || ORDER.test(text)) return undefined;
  const form = FORMS.find(([pattern]) => pattern.test(text));
  if (form === undefined) return undefined;
  const [, kind, importance] = form;
  return { kind, importance, content: `The user said: ${text}` };
}
