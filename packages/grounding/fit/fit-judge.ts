import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { SupportFeatures } from '#evidence/support-features';
import { MIN_ANSWER_PROBABILITY } from '#evidence/support-weights';
import { type FitCorpus, readBeir, readDecided } from './beir.ts';
import { FEATURE_DESCRIPTIONS } from './feature-descriptions.ts';
import { type Fitted, fitLogistic, type Row } from './fit-logistic.ts';
import { bestUnits, qualityOf } from './fit-quality.ts';
import { alterQuestion, generateQuestions } from './generate-questions.ts';
import { foldOf, halfOf } from './halves.ts';
import { createRank } from './rank-documents.ts';
import { type DocumentSet, readRows, type UnitRow } from './read-rows.ts';
import { readSections } from './read-sections.ts';
import { type Heads, writeWeights } from './write-weights.ts';

const USAGE = `Usage: npm run fit:judge -w @lectern/grounding -- --data DIR

Fits the weights of the support judge and writes src/evidence/support-weights.ts. DIR contains ir/scifact (a BEIR folder with
queries_train.jsonl, qrels_train.tsv and claims_labels.jsonl), ir/xquad-en, ir/xquad-de, ir/xquad-zh, and Markdown files in
files/handbook. Questions about these files and about the project's own documents are generated.`;

/** Every nth question of an XQuAD folder, which has many questions about few paragraphs. */
const EVERY = 3;
const FOLDS = 5;
const PENALTY = 8;
/** The share of claims without an answer for which a refusal must not count as needless. */
const REFUSED = 0.98;
/** The weight of the units of a question by its choice of documents. */
const UNIT_WEIGHTS = { all: 1, without: 1, half: 1, altered: 0.5 } as const;
/** The same for the calibration: people ask few questions that differ from a document by one word. */
const REPLY_WEIGHTS = { all: 1, without: 0.3, half: 1, altered: 0.15 } as const;
/** Generated questions are less natural than people's, and some of their answers are elsewhere too. */
const GENERATED_WEIGHT = 0.5;
const GENERATED: readonly string[] = ['handbook', 'own documents'];
/** The number of generated questions about one set of documents. */
const MAX_GENERATED = 400;
/** The project's own documents. */
const ROOT = new URL('../../../', import.meta.url).pathname;
const OWN_DOCUMENTS = ['README.md', 'CONTRIBUTING.md', 'docs', 'packages'];

const featureNames = Object.keys(FEATURE_DESCRIPTIONS) as (keyof SupportFeatures)[];
const valuesOf = ({ features }: UnitRow) => featureNames.map((name) => features[name]);

/** The probability of an incomplete unit is not learned: the judge limits it. */
const INCOMPLETE = 0.1;

const probability = ({ bias, weights }: Fitted, row: UnitRow): number => {
  const logit = valuesOf(row).reduce((sum, value, at) => sum + value * (weights[at] ?? 0), bias);
  return row.isIncomplete ? Math.min(INCOMPLETE, probabilityOf(logit)) : probabilityOf(logit);
};

/**
 * Fits one model for claims to verify and one for questions. XQuAD's rows of half of the subjects
 * are left out; everything else is cross-validated.
 */
async function fitJudge(data: string): Promise<void> {
  const claims = await readClaims(join(data, 'ir', 'scifact'));
  const languages = ['xquad-en', 'xquad-de', 'xquad-zh'];
  const xquad = (await Promise.all(languages.map((name) => readXquad(join(data, 'ir', name), name)))).flat();
  const handbook = readGenerated('handbook', await readSections(join(data, 'files'), ['handbook']));
  const own = readGenerated('own documents', await readSections(ROOT, OWN_DOCUMENTS));
  const questions = [...xquad, ...handbook, ...own];
  const heads: Heads = {
    claim: fitHead(claims, false),
    question: fitHead(
      questions.filter(({ fold }) => fold !== LEFT_OUT),
      true,
    ),
  };
  const scores = new Map([...crossValidate(claims, false), ...crossValidate(questions, true)]);
  for (const [corpus, rows] of Map.groupBy([...claims, ...questions], (row) => row.corpus)) {
    report(corpus, rows, (row) => scores.get(row) ?? 0);
  }
  const unanswered = bestUnits(claims, (row) => scores.get(row) ?? 0).filter(({ row }) => row.documentSet !== 'all');
  const sorted = unanswered.map(({ score }) => score).sort((a, b) => a - b);
  const minNeedlessRefusal = sorted[Math.floor(REFUSED * sorted.length)] ?? 1;
  const file = new URL('../src/evidence/support-weights.ts', import.meta.url);
  await writeFile(file, writeWeights(featureNames, heads, minNeedlessRefusal));
}

const LEFT_OUT = 'left out';

/** Scores every row with a model that was fitted without it. */
function crossValidate(rows: readonly UnitRow[], isBalanced: boolean): Map<UnitRow, number> {
  const scores = new Map<UnitRow, number>();
  const fitted = rows.filter(({ fold }) => fold !== LEFT_OUT);
  for (const fold of new Set(rows.map((row) => row.fold))) {
    const head = fitHead(
      fitted.filter((row) => row.fold !== fold),
      isBalanced,
    );
    for (const row of rows) if (row.fold === fold) scores.set(row, probability(head, row));
  }
  return scores;
}

/**
 * Fits a model with equal weight for every corpus, and for its answers and non-answers. Then fits
 * Platt scaling (1999) from the log-odds of any unit to those of the best unit of a question, which
 * a reply quotes. Incomplete units are left out: the judge limits them anyway. `isBalanced` gives
 * right and wrong best units equal weight: generated questions have too few right ones.
 */
function fitHead(rows: readonly UnitRow[], isBalanced: boolean): Fitted {
  const complete = rows.filter(({ isIncomplete }) => !isIncomplete);
  const units = fitLogistic(weighed(complete, valuesOf, UNIT_WEIGHTS, true), PENALTY);
  const scores = new Map(complete.map((row) => [row, probability(units, row)]));
  const best = bestUnits(complete, (row) => scores.get(row) ?? 0).map(({ row }) => row);
  const logit = (row: UnitRow) => [logitOf(scores.get(row) ?? 0)];
  const scale = fitLogistic(weighed(best, logit, REPLY_WEIGHTS, isBalanced), 0);
  const times = scale.weights[0] ?? 1;
  return { bias: units.bias * times + scale.bias, weights: units.weights.map((weight) => weight * times) };
}

function weighed(
  rows: readonly UnitRow[],
  read: (row: UnitRow) => readonly number[],
  weights: Readonly<Record<DocumentSet, number>>,
  isBalanced: boolean,
): Row[] {
  const groupOf = ({ corpus, answers }: UnitRow) => (isBalanced ? `${corpus} ${answers}` : corpus);
  const totals = Map.groupBy(rows, groupOf);
  const mean = rows.length / totals.size;
  return rows.map((row) => ({
    features: read(row),
    answers: row.answers,
    weight:
      (weights[row.documentSet] * (GENERATED.includes(row.corpus) ? GENERATED_WEIGHT : 1) * mean) /
      (totals.get(groupOf(row))?.length ?? 1),
  }));
}

function report(corpus: string, rows: readonly UnitRow[], scoreOf: (row: UnitRow) => number): void {
  const heldOut = rows.some(({ fold }) => fold === LEFT_OUT) ? rows.filter(({ fold }) => fold === LEFT_OUT) : rows;
  const quality = qualityOf(heldOut, scoreOf, MIN_ANSWER_PROBABILITY);
  const metrics = Object.entries(quality).map(
    ([name, value]) => `${name} ${Number.isInteger(value) ? value : value.toFixed(3)}`,
  );
  print(`${corpus}: ${metrics.join(', ')}`);
}

const logitOf = (probability: number): number => Math.log(probability / (1 - probability));
const probabilityOf = (logit: number): number => 1 / (1 + Math.exp(-logit));

async function readClaims(folder: string): Promise<UnitRow[]> {
  const corpus = await readBeir(folder, 'scifact', 'train');
  const decided = await readDecided(folder);
  const rank = createRank(corpus.documents);
  return corpus.questions.flatMap(({ id, text }) => {
    const gold = decided.get(id);
    return gold === undefined ? [] : readRows(corpus, rank, { id, text, gold }, String(foldOf(id) % FOLDS));
  });
}

async function readXquad(folder: string, name: string): Promise<UnitRow[]> {
  const corpus = await readBeir(folder, name);
  const rank = createRank(corpus.documents);
  const titles = new Map(corpus.documents.map(({ id, title }) => [id, title]));
  const chosen = corpus.questions.filter((_, at) => at % EVERY === 0);
  return chosen.flatMap((question) => {
    const subject = titles.get([...question.gold][0] ?? '') ?? '';
    const fold = halfOf(subject) === 0 ? String((foldOf(subject) >>> 1) % FOLDS) : LEFT_OUT;
    return readRows(corpus, rank, question, fold, alterQuestion(question, chosen));
  });
}

/** The folds are files, so that no section of a file is both fitted on and held out. */
function readGenerated(name: string, documents: FitCorpus['documents']): UnitRow[] {
  const all = generateQuestions(documents);
  const questions = all.toSorted((a, b) => foldOf(a.id) - foldOf(b.id)).slice(0, MAX_GENERATED);
  const rank = createRank(documents);
  const corpus: FitCorpus = { name, documents, questions };
  return questions.flatMap((question) => {
    const fold = String(foldOf(question.id.split('#')[0] ?? '') % FOLDS);
    return readRows(corpus, rank, question, fold, alterQuestion(question, questions));
  });
}

const print = (line: string) => void process.stdout.write(`${line}\n`);

const { values } = parseArgs({ options: { data: { type: 'string' }, help: { type: 'boolean' } } });
if (values.help || values.data === undefined) print(USAGE);
else await fitJudge(values.data);
