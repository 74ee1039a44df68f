import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { GERMAN } from '#texts/de/index.ts';
import { ENGLISH } from '#texts/en/index.ts';
import { hardCodedTexts } from '#texts/hard-coded-texts.ts';

const SOURCES = fileURLToPath(new URL('..', import.meta.url));

/** Names that are the same in every language, and keys of the keyboard. */
const NAMES = ['Lectern', 'Android', 'Windows', 'Mac', 'Linux', 'English', 'Deutsch', 'Enter', 'Escape'];

/** The texts of a catalog by key. */
function entriesOf(catalog: object, prefix = ''): (readonly [string, string])[] {
  return Object.entries(catalog).flatMap(([name, value]) =>
    typeof value === 'string' ? [[`${prefix}${name}`, value] as const] : entriesOf(value, `${prefix}${name}.`),
  );
}

const english = new Map(entriesOf(ENGLISH));
const german = new Map(entriesOf(GERMAN));
const placeholders = (text: string) => [...text.matchAll(/\{\{.*?\}\}|<\/?\w+\/?>/g)].map(String).sort();
// The API reference is in English, like its library and the document.
const sources = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.tsx?$/.test(path) && !/\.test\.|^(?:texts|reference)\//.test(path))
  .map((path) => ({ path, text: readFileSync(join(SOURCES, path), 'utf8') }));

describe('the catalogs', () => {
  it('have the same keys in each language', () => {
    expect([...german.keys()].sort()).toEqual([...english.keys()].sort());
  });

  it('have the same variables and elements in each language', () => {
    const different = [...english].filter(
      ([key, text]) => `${placeholders(text)}` !== `${placeholders(german.get(key) ?? '')}`,
    );
    expect(different).toEqual([]);
  });

  it('have no text that nothing shows', () => {
    const code = sources.map(({ text }) => text).join('\n');
    const dynamic = [...code.matchAll(/`([a-z]\w*\.[\w.]*)\$\{/g)].map(([, prefix = '']) => prefix);
    const isUsed = (key: string) => {
      const [name = ''] = key.split(/_(?:one|other)$/);
      return (
        code.includes(`'${name}'`) || code.includes(`"${name}"`) || dynamic.some((prefix) => name.startsWith(prefix))
      );
    };
    expect([...english.keys()].filter((key) => !isUsed(key))).toEqual([]);
  });
});

describe('the sources', () => {
  it('have no text outside of the catalogs', () => {
    const found = sources.flatMap(({ path, text }) =>
      hardCodedTexts(path, text)
        .filter((hardCoded) => !NAMES.includes(hardCoded))
        .map((hardCoded) => `${path}: ${hardCoded}`),
    );
    expect(found).toEqual([]);
  });
});
