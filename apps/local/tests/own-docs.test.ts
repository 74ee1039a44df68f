import { readdir, readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { sectionSpans } from '@lectern/text';
import { z } from 'zod';
import { type SharedLectern, shareLectern } from './support/shared-lectern.ts';

const DOCS = new URL('../../../docs/', import.meta.url);
const QUESTIONS = new URL('../../../bench/questions/lectern-docs.jsonl', import.meta.url);
/** The number of questions whose reply must quote the answer and cite its section. */
const MIN_USEFUL = 28;
/** Lines that are shorter can be in several sections. */
const MIN_LINE = 20;

const place = z.object({ file: z.string(), section: z.string() });
const questionSchema = place.extend({
  text: z.string(),
  /** The useful reply contains one of these. */
  answers: z.array(z.string()).min(1),
  /** Other sections that answer the question. */
  also: z.array(place).default([]),
});
type Question = z.output<typeof questionSchema>;
interface Source {
  readonly title: string;
  readonly excerpt: string;
}

let lectern: SharedLectern;
const texts = new Map<string, string>();
let questions: readonly Question[];

/** Returns the lines of a section that identify it. */
function linesOf({ file, section }: z.output<typeof place>): readonly string[] {
  const text = texts.get(file) ?? '';
  const found = sectionSpans(text).find(
    ({ start, bodyStart }) =>
      text
        .slice(start, bodyStart)
        .replace(/^#+\s*/, '')
        .trim() === section,
  );
  expect({ file, section, found }).toMatchObject({ found: expect.anything() });
  const lines = text.slice(found?.bodyStart, found?.end).split('\n');
  return lines.map((line) => line.trim()).filter(({ length }) => length >= MIN_LINE);
}

function citesSection({ also, file, section }: Question, sources: readonly Source[]): boolean {
  const lines = [{ file, section }, ...also].flatMap(linesOf);
  return sources.some(({ excerpt }) => lines.some((line) => excerpt.includes(line)));
}

const containsOne = (text: string, words: readonly string[]): boolean =>
  words.some((word) => text.toLowerCase().replace(/\s+/g, ' ').includes(word.toLowerCase()));

beforeAll(async () => {
  lectern = await shareLectern();
  const names = (await readdir(DOCS)).filter((name) => name.endsWith('.md'));
  for (const name of names) texts.set(name, await readFile(new URL(name, DOCS), 'utf8'));
  const lines = (await readFile(QUESTIONS, 'utf8')).trim().split('\n');
  questions = lines.map((line) => questionSchema.parse(JSON.parse(line)));
});

describe("the project's own documentation", () => {
  it('has the section of every question', () => {
    expect(questions).toHaveLength(35);
    for (const question of questions) expect(linesOf(question).length).toBeGreaterThan(0);
  });

  it('answers the questions of new users with the expected sections', async () => {
    const { api, credentials } = lectern;
    const collection = (await api.ok('POST', '/api/v1/collections', { name: 'docs' })).id;
    const connector = { name: 'Files', type: 'upload', collection };
    const { id } = await api.ok('POST', '/api/v1/connectors', connector);
    const upload = await api.upload(
      id,
      [...texts].map(([name, bytes]) => ({ name, bytes })),
    );
    await api.endOfJob(id, upload.jobId);
    const missed: string[] = [];
    for (const question of questions) {
      const reply = await api.ok('POST', `/api/v1/teams/${credentials.teamId}/chat`, { message: question.text });
      const isUseful = containsOne(reply.content, question.answers) && citesSection(question, reply.sources);
      if (!isUseful) missed.push(`${question.text} (${reply.answer_confidence.label})`);
    }
    expect({ missed, isGood: missed.length <= questions.length - MIN_USEFUL }).toMatchObject({ isGood: true });
  });
});
