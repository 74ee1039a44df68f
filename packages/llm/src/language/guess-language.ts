/** Languages the built-in model words its own phrases in; quotes stay in the language of their document. */
export type ReplyLanguage = 'en' | 'de';

const GERMAN =
  /(?:^|[^\p{L}])(?:der|die|das|den|dem|des|ein|eine|einen|einer|und|oder|nicht|ist|sind|war|waren|wird|werden|wurde|wurden|hat|haben|wie|was|wer|wen|wem|wann|wo|warum|wieso|welche[rsmn]?|viele?|für|mit|von|zu[mr]?|im|auf|bei|nach|über|ich|wir|kann|danke|hallo|guten)(?=$|[^\p{L}])/giu;
const ENGLISH =
  /(?:^|[^\p{L}])(?:the|an?|and|or|not|is|are|was|were|do|does|did|has|have|how|what|who|whom|when|where|why|which|many|much|for|with|of|to|in|on|at|by|i|we|can|my|our|your|thanks?|hello|hi)(?=$|[^\p{L}])/giu;

/** German where its function words outnumber English ones, otherwise English. Made for a question of a line or two. */
export function guessLanguage(text: string): ReplyLanguage {
  return countOf(GERMAN, text) > countOf(ENGLISH, text) ? 'de' : 'en';
}

function countOf(pattern: RegExp, text: string): number {
  return text.match(pattern)?.length ?? 0;
}
