/** A deterministic generator of random numbers below `size` (mulberry32). */
export type Random = (size: number) => number;

export function createRandom(seed: number): Random {
  let state = seed;
  return (size) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % size;
  };
}

const GREETINGS =
  'hi|hello|hey|thanks|thank you|bye|ok|great|perfect|super|cool|nice|sure|yes|no|sorry|who are you|what can you do|good morning|how are you|hallo|danke|servus|bonjour|merci|hola|gracias|ciao|привет|你好|ありがとう|안녕하세요|مرحبا'.split(
    '|',
  );
const NOUNS =
  'bonus|allowance|basin|location|holiday|printer|forklift|contract|invoice|garden|password|train|budget|lamp|moon|coffee|server|window|salary|Rechnung|Urlaub|voiture|maison|perro|日程|会議|отпуск|счёт|tatil|vakantie'.split(
    '|',
  );
const ADJECTIVES = 'perfect|super|great|blue|annual|late|free|nice|cool|final|secret|old|sure|kind|welcome|right'.split(
  '|',
);
const SYLLABLES = 'ka|lo|mi|zu|ter|vox|plim|gra|sno|bek|qui|dor'.split('|');
const MARKS = ['', '', '!', '?', '.', '…', ' 🙂', ' :)'];

/** Returns a message that asks nothing: small talk, noun phrases, nonsense, and mixtures of them. */
export function nonQuestion(random: Random): string {
  const one = (words: readonly string[]): string => words[random(words.length)] ?? '';
  const nounPhrase = () =>
    [...(random(2) ? [one(ADJECTIVES)] : []), one(NOUNS), ...(random(2) ? [one(NOUNS)] : [])].join(' ');
  const nonsense = () =>
    Array.from({ length: 1 + random(3) }, () => SYLLABLES.filter(() => random(4) === 0).join('') || 'x').join(' ');
  const parts = [
    () => one(GREETINGS),
    nounPhrase,
    nonsense,
    () => `${one(GREETINGS)} ${nounPhrase()}`,
    () => `${nounPhrase()} ${1990 + random(40)}`,
    () => `${one(GREETINGS)}, ${one(GREETINGS)}`,
    () => `${one(ADJECTIVES)} ${nonsense()}`,
    () => String.fromCodePoint(...Array.from({ length: 1 + random(6) }, () => 0x20 + random(0x3000))),
  ];
  const text = (parts[random(parts.length)] ?? nounPhrase)();
  return random(5) === 0 ? text.toUpperCase() : text + one(MARKS);
}
