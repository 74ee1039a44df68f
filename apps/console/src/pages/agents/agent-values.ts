import { isRecord } from '#api/is-record.ts';
import type { AgentRecord } from '#api/types.ts';
import { DEFAULT_TOOLS } from '#pages/agents/tools.ts';

/** The settings of an agent, as its form shows them. */
export interface AgentValues {
  readonly name: string;
  readonly description: string;
  readonly systemPrompt: string;
  readonly startMessage: string;
  readonly memory: AgentRecord['memory'];
  readonly tools: AgentRecord['tools'];
  readonly collections: readonly string[];
}

/** The settings that are not saved. */
export type AgentChanges = Partial<AgentValues>;

export const MEMORY_MODES: readonly AgentRecord['memory'][] = ['off', 'recall', 'auto'];

/** The saved settings of an agent, or those of a new one. */
export function savedValues(agent: AgentRecord | undefined): AgentValues {
  return {
    name: agent?.name ?? '',
    description: agent?.description ?? '',
    systemPrompt: agent?.systemPrompt ?? '',
    startMessage: agent?.startMessage ?? '',
    memory: agent?.memory ?? 'recall',
    tools: agent?.tools ?? DEFAULT_TOOLS,
    collections: agent?.collections ?? [],
  };
}

const isEqual = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

/** The changes that differ from `values`. */
export function without(changes: AgentChanges, values: AgentChanges): AgentChanges {
  const known: Readonly<Record<string, unknown>> = { ...values };
  return Object.fromEntries(Object.entries(changes).filter(([name, value]) => !isEqual(value, known[name])));
}

/** Reads changes that were kept as JSON. Omits what is not a setting. */
export function parseChanges(text: string): AgentChanges {
  const kept = parseJson(text);
  if (!isRecord(kept)) return {};
  const textOf = (name: 'name' | 'description' | 'systemPrompt' | 'startMessage') =>
    typeof kept[name] === 'string' ? { [name]: kept[name] } : {};
  const memory = MEMORY_MODES.find((mode) => mode === kept.memory);
  const { tools, collections } = kept;
  return {
    ...textOf('name'),
    ...textOf('description'),
    ...textOf('systemPrompt'),
    ...textOf('startMessage'),
    ...(memory === undefined ? {} : { memory }),
    ...(isTexts(tools) ? { tools: [...tools] } : {}),
    ...(isTexts(collections) ? { collections } : {}),
  };
}

const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((entry) => typeof entry === 'string');

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
