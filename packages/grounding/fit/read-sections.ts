import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { FitDocument } from './beir.ts';

/** Sections with less text are only an introduction to others. */
const MIN_LENGTH = 60;
const HEADING = /^(#{1,6})\s+(.+?)\s*#*$/;
const FENCE = /^\s*(?:```|~~~)/;
const SKIPPED = new Set(['node_modules', 'dist', 'gen', 'images']);

/** Reads the Markdown files of folders, one document per section, with the headings above it. */
export async function readSections(root: string, folders: readonly string[]): Promise<FitDocument[]> {
  const sections: FitDocument[] = [];
  for (const folder of folders) {
    for (const file of await markdownFiles(join(root, folder))) {
      sections.push(...sectionsOf(relative(root, file), await readFile(file, 'utf8')));
    }
  }
  return sections;
}

async function markdownFiles(place: string): Promise<string[]> {
  if (place.endsWith('.md')) return [place];
  const entries = await readdir(place, { withFileTypes: true });
  const nested = await Promise.all(
    entries
      .filter((entry) => (entry.isDirectory() ? !SKIPPED.has(entry.name) : entry.name.endsWith('.md')))
      .map((entry) => markdownFiles(join(place, entry.name))),
  );
  return nested.flat().sort();
}

/** Splits a Markdown text at its headings. */
function sectionsOf(file: string, text: string): FitDocument[] {
  const path: { readonly level: number; readonly name: string }[] = [];
  const sections: FitDocument[] = [];
  let title = file;
  let lines: string[] = [];
  let inCode = false;
  const close = (): void => {
    const body = lines.join('\n').trim();
    lines = [];
    if (body.length < MIN_LENGTH) return;
    const heading = path.map(({ name }) => name).join(' > ');
    sections.push({ id: `${file}#${sections.length}`, file, title, heading, text: body });
  };
  for (const line of text.split('\n')) {
    if (FENCE.test(line)) inCode = !inCode;
    const [, marks, name] = (inCode ? undefined : HEADING.exec(line)) ?? [];
    if (marks === undefined || name === undefined) {
      lines.push(line);
      continue;
    }
    close();
    while ((path.at(-1)?.level ?? 0) >= marks.length) path.pop();
    if (marks.length === 1 && title === file) title = name;
    path.push({ level: marks.length, name });
  }
  close();
  return sections;
}
