import type { UsageKind } from '@lectern/api-spec';
import type { Tokens } from '#budgets/prices';

/** Facts about one request, counted when it ends. */
export interface RequestUsage {
  /** The team of the key. Without one, nothing is counted. */
  teamId: string | undefined;
  /** The key pair or the signed-in person. */
  subject: string;
  kind: UsageKind;
  promptTokens: number;
  completionTokens: number;
  /** The model that wrote the reply. Empty for none. */
  model: string;
  /** In millionths. */
  cost: bigint;
  /** The header that warns of a soft limit. */
  budgetWarning: string | undefined;
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
    subject: '',
    model: '',
    cost: 0n,
    budgetWarning: undefined,
    failed: false,
    beganMs: undefined,
  };
}

/** Adds the tokens of a reply and their cost. */
export function addTokens(usage: RequestUsage, { promptTokens, completionTokens }: Tokens, cost: bigint): void {
  usage.promptTokens += promptTokens;
  usage.completionTokens += completionTokens;
  usage.cost += cost;
}
