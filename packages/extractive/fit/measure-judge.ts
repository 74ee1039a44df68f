import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { auroc, calibrationError, classifyShape, reliabilityCurve, scoreAnswer } from '@lectern/grounding';
import {
  createRank,
  type FitCorpus,
  type FitQuestion,
  halfOf,
  readBeir,
  readDecided,
  toSource,
} from '@lectern/grounding/fit';
import { collectReply } from '@lectern/llm';
import { createExtractiveModel } from '#extractive-model';

const USAGE = `Usage: npm run measure:judge -w @lectern/extractive -- --data DIR [--only NAME]

Measures the built-in model's answers to SciFact's test claims, which were not used to fit the judge, and to every eighth question of XQuAD.
Each is evaluated with all documents, with the closest ones that do not answer, and with the half without an answer, ranked by BM25. DIR
contains the BEIR folders scifact, xquad-en, xquad-de and xquad-zh; NAME is one of them.`;

/** The number of documents per question, the same as chat retrieves for a fact. */
const DOCUMENTS = 6;
const EVERY = 8;

interface Answer {
  readonly score: number;
  readonly low: boolean;
  readonly citesRight: boolean;
}

const model = createExtractiveModel();

async function measure(data: string, only: string | undefined): Promise<void> {
  const all: Answer[] = [];
  for (const name of ['scifact', 'xquad-en', 'xquad-de', 'xquad-zh']) {
    if (only !== undefined && only !== name) continue;
    const corpus = await readBeir(join(data, name), name);
    const questions = name === 'scifact' ? await decidedClaims(corpus, join(data, name)) : everyNth(corpus.questions);
    all.push(...(await measureCorpus(corpus, questions)));
  }
  const curve = curveOf(all);
  print(`all: expected calibration error ${calibrationError(curve).toFixed(3)}`);
  for (const { from, count, meanScore, right } of curve) {
    print(`| ${from}–${(from + 0.1).toFixed(1)} | ${count} | ${meanScore.toFixed(2)} | ${(100 * right).toFixed(0)}% |`);
  }
}

async function decidedClaims({ questions }: FitCorpus, folder: string): Promise<FitQuestion[]> {
  const decided = await readDecided(folder);
  return questions.flatMap(({ id, text }) => {
    const gold = decided.get(id);
    return gold === undefined ? [] : [{ id, text, gold }];
  });
}

const everyNth = (questions: readonly FitQuestion[]) => questions.filter((_, at) => at % EVERY === 0);

/** Prints the metrics of a corpus. Returns the answers from all documents and from the half without. */
async function measureCorpus(corpus: FitCorpus, questions: readonly FitQuestion[]): Promise<Answer[]> {
  const rank = createRank(corpus.documents);
  const right: Answer[] = [];
  const closest: Answer[] = [];
  const half: Answer[] = [];
  for (const { text, gold } of questions) {
    const answer = (keep: (document: string) => boolean) =>
      answerFrom(text, gold, rank(text, DOCUMENTS, keep).map(toSource));
    right.push(await answer(() => true));
    closest.push(await answer((document) => !gold.has(document)));
    const [first, ...others] = new Set([...gold].map(halfOf));
    if (others.length === 0) half.push(await answer((document) => halfOf(document) !== first));
  }
  const cited = right.filter(({ citesRight }) => citesRight);
  const isLow = ({ low }: Answer) => low;
  print(
    `${corpus.name}: ${right.length} questions, ${percent(right, ({ citesRight }) => citesRight)} cite a right document, ${percent(right, isLow)} low`,
  );
  for (const [name, wrong] of [
    ['half without', half],
    ['closest documents', closest],
  ] as const) {
    const metrics = [right, cited].map((some) => auroc(scoresOf(some), scoresOf(wrong)).toFixed(3));
    print(`  ${name}: AUROC ${metrics[0]}, of correct citations ${metrics[1]}; low ${percent(wrong, isLow)}`);
  }
  print(`  expected calibration error ${calibrationError(curveOf([...right, ...half])).toFixed(3)}`);
  return [...right, ...half];
}

const scoresOf = (answers: readonly Answer[]) => answers.map(({ score }) => score);

const percent = (answers: readonly Answer[], counts: (answer: Answer) => boolean): string =>
  `${((100 * answers.filter(counts).length) / answers.length).toFixed(1)}%`;

/** Returns the share of right answers by tenths of the score. */
const curveOf = (answers: readonly Answer[]) =>
  reliabilityCurve(answers.map(({ score, citesRight }) => ({ score, right: citesRight })));

async function answerFrom(
  question: string,
  gold: ReadonlySet<string>,
  sources: readonly ReturnType<typeof toSource>[],
): Promise<Answer> {
  const shape = classifyShape(question);
  const messages = [{ role: 'user', content: [{ type: 'text', text: question }] }] as const;
  const { signal } = new AbortController();
  const request = { messages, question, sources, maxTokens: 1_024, shape: shape.shape };
  const { text: reply, citations } = await collectReply(model.stream(request, { signal }));
  const { score, label } = await scoreAnswer({ question, reply, citations, sources, shape });
  return { score, low: label === 'low', citesRight: citations.some(({ sourceId }) => gold.has(sourceId)) };
}

const print = (line: string) => void process.stdout.write(`${line}\n`);

const { values } = parseArgs({
  options: { data: { type: 'string' }, only: { type: 'string' }, help: { type: 'boolean' } },
});
if (values.help || values.data === undefined) print(USAGE);
else await measure(values.data, values.only);
