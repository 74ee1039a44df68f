import { between, type Random } from '#corpus/random';
import { chance, nested, oddValue, pick } from '#fuzz-http/values';

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const times = (count: number, make: (at: number) => string, separator = ','): string =>
  Array.from({ length: count }, (_, at) => make(at)).join(separator);

/** Adds a member to the start of a JSON object. */
const withMember = (text: string, member: string): string =>
  /^\{\s*\}$/.test(text) ? `{${member}}` : text.replace('{', `{${member},`);

/** Makes one part of a value invalid, or none. */
function mutateValue(random: Random, value: unknown): unknown {
  if (!isObject(value)) return oddValue(random);
  const names = Object.keys(value);
  const name = names[between(random, 0, names.length)] ?? 'surprise';
  if (chance(random, 0.2)) return Object.fromEntries(Object.entries(value).filter(([other]) => other !== name));
  return { ...value, [name]: oddValue(random) };
}

/** Makes the JSON text invalid. */
const TEXTS: readonly [(text: string, random: Random) => string, ...((text: string, random: Random) => string)[]] = [
  (text, random) => text.slice(0, between(random, 0, text.length)),
  (text) => `\ufeff${text}`,
  (text) => `${text}${text}`,
  (text) => `${' '.repeat(200_000)}${text}`,
  (text) => text.replace(/[}\]]$/, ',$&'),
  (text) => withMember(text, '"__proto__":{"admin":true}'),
  (text) => withMember(text, '"constructor":{"prototype":{}}'),
  (text) => withMember(text, '"toString":null,"hasOwnProperty":1,"valueOf":2'),
  (text) => withMember(text, '"query":1,"query":"b","filters":{"a":1},"filters":null'),
  (text) => withMember(text, `"n":${'1'.repeat(100_000)}`),
  (text) => withMember(text, `"n":1e${'9'.repeat(50_000)}`),
  (text) => withMember(text, '"n":-0.0e-999,"m":1e999'),
  (text) => withMember(text, `"${'x'.repeat(200_000)}":1`),
  (text) => withMember(text, `"${'\\u0041'.repeat(30_000)}":"${'\\ud800'.repeat(100)}"`),
  (text) =>
    withMember(
      text,
      times(1_900, (at) => `"unknown${at}":0`),
    ),
  (text) =>
    withMember(
      text,
      times(1_900, (at) => `"${at}":0`),
    ),
  (text) =>
    withMember(
      text,
      times(14_000, (at) => `"u${at}":0`),
    ),
  (text) =>
    withMember(
      text,
      times(350_000, (at) => `"k${at}":0`),
    ),
  (text) => withMember(text, `"deep":${'['.repeat(63)}${']'.repeat(63)}`),
  (text) => withMember(text, `"deep":${'{"a":'.repeat(60)}1${'}'.repeat(60)}`),
  (text) => withMember(text, `"deep":${'['.repeat(100_000)}`),
  (text) => withMember(text, `"filters":{"$or":[${times(30_000, () => '{}')}]}`),
  (text) => withMember(text, `"filters":{"$or":[${times(9_000, () => '{}')}]}`),
  (text) => withMember(text, `"filters":{${times(700, (at) => `"unknown${at}":${at}`)}}`),
  (text) => withMember(text, `"filters":{${times(400, (at) => `"${'🦊'.repeat(60)}${at}":1`)}}`),
  (text) => withMember(text, `"list":[${times(9_000, () => '""')}]`),
  () =>
    times(9_000, () => '[]')
      .replace(/^/, '[')
      .replace(/$/, ']'),
  () => 'nonsense',
  () => '{"a":NaN}',
  () => '',
  () => 'null',
  () => '"text"',
  () => '[]',
  (_text, random) => JSON.stringify(nested(random, 60)),
];

/** Returns the JSON text of a value, sometimes with one fault. */
export function mutateJson(random: Random, value: unknown): string {
  const kind = between(random, 0, 9);
  if (kind <= 4) return JSON.stringify(value) ?? '';
  if (kind <= 6) return JSON.stringify(mutateValue(random, value)) ?? '';
  return pick(random, TEXTS)(JSON.stringify(value) ?? '', random);
}
