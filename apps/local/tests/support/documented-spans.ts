import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Span } from './trace-receiver.ts';

const OPERATIONS = fileURLToPath(new URL('../../../../docs/operations.md', import.meta.url));
const ROW = /^\| (`[^|]+`) \| (\w+) \| ([^|]*) \|$/gm;
const inBackticks = (cell: string): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, text = '']) => text);

const patternOf = (name: string): RegExp =>
  new RegExp(`^${name.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll('…', '.*')}$`);

interface Documented {
  readonly names: readonly RegExp[];
  readonly kind: string;
  readonly attributes: ReadonlySet<string>;
}

/** The spans in docs/operations.md: name (`…` matches anything), kind and allowed attributes. */
function readTable(): readonly Documented[] {
  const [, section = ''] = /^### Spans\n([\s\S]*?)^#/m.exec(readFileSync(OPERATIONS, 'utf8')) ?? [];
  return [...section.matchAll(ROW)].map(([, names = '', kind = '', attributes = '']) => ({
    names: inBackticks(names).map((name) => patternOf(name)),
    kind,
    attributes: new Set(inBackticks(attributes)),
  }));
}

const documented = readTable();

/** Returns the parts of a span that docs/operations.md does not list: its name or attributes. */
export function undocumentedParts(span: Span): string[] {
  const row = documented.find(({ names, kind }) => kind === span.kind && names.some((name) => name.test(span.name)));
  if (row === undefined) return [`${span.kind} ${span.name} (${Object.keys(span.attributes).join(', ')})`];
  const others = Object.keys(span.attributes).filter((name) => !row.attributes.has(name));
  return others.map((name) => `${span.kind} ${span.name}: ${name}`);
}
