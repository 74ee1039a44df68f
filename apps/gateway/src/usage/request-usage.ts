import type { UsageKind } from '@lectern/api-spec';
import type { StreamEvent } from '#http/api-response';

interface Tokens {
  readonly promptTokens: number;
  readonly completionTokens: number;
}

/** Facts about one request, counted when it ends. */
export interface RequestUsage {
  /** The team of the key. Without one, nothing is counted. */
  teamId: string | undefined;
  kind: UsageKind;
  promptTokens: number;
  completionTokens: number;
  /** True for a failed stream, whose HTTP status is a success. */
  failed: boolean;
  /** Milliseconds until a stream began. Undefined for other responses. */
  beganMs: number | undefined;
}

/** Creates the usage of a new request. */
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

/** Records the end of a stream: its tokens, or its failure. */
export function recordEnd(usage: RequestUsage, { event, data }: StreamEvent): void {
  if (event === 'error') usage.failed = true;
  else if ('usage' in data && isTokens(data.usage)) addTokens(usage, data.usage);
}
