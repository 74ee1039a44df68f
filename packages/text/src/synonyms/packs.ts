import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Language } from '#analysis/languages';
import { formatSolrRule, parseSolrSynonyms } from '#synonyms/solr-format';
import type { SynonymRule } from '#synonyms/synonym-rule';

/** A rule of a pack. */
export interface PackRule extends SynonymRule {
  /** Derived from the pack and the rule, so that it stays the same while the rule does. */
  readonly key: string;
}

/** A list of synonyms that ships with Lectern. */
export interface SynonymPack {
  readonly name: string;
  readonly language: Language;
  readonly rules: readonly PackRule[];
}

const FOLDER = new URL('../../packs/', import.meta.url);

/** The packs with their languages, in the order of lists. */
const PACKS: readonly (readonly [string, Language])[] = [
  ['workplace-en', 'en'],
  ['workplace-de', 'de'],
];

let loaded: readonly SynonymPack[] | undefined;

/** Returns the packs. Reads them once. Throws for an invalid file. */
export function synonymPacks(): readonly SynonymPack[] {
  loaded ??= PACKS.map(([name, language]) => ({ name, language, rules: readPack(name) }));
  return loaded;
}

function readPack(name: string): readonly PackRule[] {
  const { lines, problems } = parseSolrSynonyms(readFileSync(new URL(`${name}.txt`, FOLDER), 'utf8'));
  const [problem] = problems;
  if (problem) throw new Error(`Line ${problem.line} of the pack ${name} is invalid: ${problem.message}.`);
  return lines.map(({ rule }) => ({ ...rule, key: keyOf(name, rule) }));
}

/** The characters of TypeIDs, without i, l, o and u. */
const BASE32 = '0123456789abcdefghjkmnpqrstvwxyz';
const KEY_LENGTH = 26;

/** Returns a key in the form of a TypeID suffix: 26 characters, the first one at most 7. */
function keyOf(pack: string, rule: SynonymRule): string {
  const digest = createHash('sha256')
    .update(`${pack}\n${formatSolrRule(rule)}`)
    .digest();
  const characters = Array.from(digest.subarray(0, KEY_LENGTH), (byte) => BASE32[byte & 31]);
  return `${(digest[0] ?? 0) & 7}${characters.slice(1).join('')}`;
}
