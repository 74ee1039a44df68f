import { findFreePort } from '@lectern/local-engines';
import { startDebuggableChromium } from '@lectern/testing/chromium';
import lighthouse, { desktopConfig } from 'lighthouse';
import { createCollection } from '#console/create-collection';
import { startForConsole } from '#console/start-for-console';
import { createApi } from '#system/api';
import type { Lectern } from '#system/lectern';

export const CATEGORIES = ['performance', 'best-practices', 'accessibility'] as const;
type Category = (typeof CATEGORIES)[number];

/** The scores of a page, from 0 to 100, one of each category per run. */
export interface PageScores {
  readonly name: string;
  readonly scores: Readonly<Record<Category, readonly number[]>>;
  /** What lowers a score in the last run, with the numbers of Lighthouse. */
  readonly failed: readonly string[];
}

export interface ScoreOptions {
  readonly runs: number;
  /** Measures as a phone on a slow network instead of a desktop computer. */
  readonly isMobile: boolean;
}

/** More than one page of the list. */
const DOCUMENTS = 30;

interface Target {
  readonly name: string;
  readonly path: string;
  readonly isSignedIn: boolean;
}

const targets = (collection: string): readonly Target[] => [
  { name: 'Sign in', path: '/console', isSignedIn: false },
  { name: 'Search', path: '/console/search', isSignedIn: true },
  { name: 'Chat', path: '/console/chat', isSignedIn: true },
  { name: 'Documents', path: `/console/collections/${collection}`, isSignedIn: true },
  { name: 'API reference', path: '/docs', isSignedIn: false },
];

/** Runs Lighthouse on pages of a temporary Lectern that has some documents. */
export async function measureScores(options: ScoreOptions, signal: AbortSignal): Promise<readonly PageScores[]> {
  await using cleanUp = new AsyncDisposableStack();
  const lectern = await startForConsole(cleanUp, signal);
  const measured: PageScores[] = [];
  for (const target of targets(await addDocuments(lectern, signal))) {
    measured.push(await measurePage(lectern, target, options, signal));
  }
  return measured;
}

async function measurePage(
  lectern: Lectern,
  target: Target,
  { runs, isMobile }: ScoreOptions,
  signal: AbortSignal,
): Promise<PageScores> {
  const scores: Record<Category, number[]> = { performance: [], 'best-practices': [], accessibility: [] };
  let failed: readonly string[] = [];
  for (let run = 0; run < runs; run += 1) {
    signal.throwIfAborted();
    const report = await runLighthouse(lectern, target, isMobile);
    for (const category of CATEGORIES) scores[category].push(report.scores[category]);
    failed = report.failed;
  }
  return { name: target.name, scores, failed };
}

async function runLighthouse({ baseUrl, secretKey }: Lectern, { path, isSignedIn }: Target, isMobile: boolean) {
  const port = await findFreePort();
  const context = await startDebuggableChromium(port);
  try {
    if (isSignedIn) await context.addInitScript(`sessionStorage['lectern.key'] = ${JSON.stringify(secretKey)}`);
    const flags = { port, logLevel: 'error' as const, onlyCategories: [...CATEGORIES] };
    const result = await lighthouse(`${baseUrl}${path}`, flags, isMobile ? undefined : desktopConfig);
    if (result === undefined) throw new Error(`Lighthouse returned no result for ${path}.`);
    const { lhr } = result;
    if (lhr.runtimeError) throw new Error(`Lighthouse could not load ${path}: ${lhr.runtimeError.message}`);
    const scoreOf = (category: Category) => Math.round((lhr.categories[category]?.score ?? 0) * 100);
    const scores = {
      performance: scoreOf('performance'),
      'best-practices': scoreOf('best-practices'),
      accessibility: scoreOf('accessibility'),
    };
    return { scores, failed: failedAudits(lhr) };
  } finally {
    await context.close();
  }
}

/** Names the audits that lower a score. */
function failedAudits({ categories, audits }: LighthouseResult): readonly string[] {
  const counted = CATEGORIES.flatMap((category) => categories[category]?.auditRefs ?? []);
  return counted
    .filter(({ weight }) => weight > 0)
    .flatMap(({ id }) => {
      const { score, displayValue } = audits[id] ?? { score: null };
      if (score === null || score >= 0.9) return [];
      return [displayValue === undefined ? id : `${id} ${displayValue.replaceAll('\u00a0', ' ')}`];
    });
}

type LighthouseResult = NonNullable<Awaited<ReturnType<typeof lighthouse>>>['lhr'];

async function addDocuments(lectern: Lectern, signal: AbortSignal): Promise<string> {
  const api = createApi(lectern);
  const collection = await createCollection(api, 'Handbook');
  for (let at = 1; at <= DOCUMENTS; at += 1) {
    signal.throwIfAborted();
    const content = `Employees take ${at} days of leave. The manager approves them in the calendar.`;
    await api.call('POST', `/api/v1/collections/${collection}/documents`, { title: `Leave, part ${at}`, content });
  }
  api.close();
  return collection;
}
