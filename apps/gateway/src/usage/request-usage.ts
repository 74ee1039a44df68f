import type { UsageKind } from '@lectern/api-spec';
import type { StreamEvent } from '#http/answer';

interface Tokens {
  readonly promptTokens: number;
  readonly completionTokens: number;
}

/** What is noted of one request while it is served, to be counted when it is over. */
export interface RequestUsage {
  /** The team that asks; undefined until its key is known, and then nothing is counted. */
  teamId: string | undefined;
  kind: UsageKind;
  promptTokens: number;
  completionTokens: number;
  /** True for what failed although its HTTP status is of a success: a stream that ended with `error`. */
  failed: boolean;
  /** Milliseconds until the answer began, where that is not its end. */
  beganMs: number | undefined;
}

/** What is noted of a request that begins now. */
export function createRequestUsage(kind: UsageKind): RequestUsage {
  return {
    teamId: undefined,
    kind,
    promptTokens: 0,
    completionTokens: 0,
    failed: false,
    beganMs: undefined,
  };
}

/** Adds the tokens of a reply. */
export function addTokens(usage: RequestUsage, { promptTokens, completionTokens }: Tokens): void {
  usage.promptTokens += promptTokens;
  usage.completionTokens += completionTokens;
}

const isTokens = (value: unknown): value is Tokens =>
  typeof value === 'object' && value !== null && 'promptTokens' in value && 'completionTokens' in value;

/** Notes how a stream ended: the tokens that its last event tells, or its failure. */
export function noteEnd(usage: RequestUsage, { event, data }: StreamEvent): void {
  if (event === 'error') usage.failed = true;
  else if ('usage' in data && isTokens(data.usage)) addTokens(usage, data.usage);
}
