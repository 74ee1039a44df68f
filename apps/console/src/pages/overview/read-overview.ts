import { lectern } from '#api/lectern.ts';
import type { Collection, Connector } from '#api/types.ts';

/** The API's maximum page size. */
const MAX_LISTED = 100;

/** The sources and documents of the team. */
export interface Overview {
  /** The newest ones. */
  readonly collections: readonly Collection[];
  readonly collectionCount: number;
  /** The newest ones. */
  readonly connectors: readonly Connector[];
  readonly connectorCount: number;
}

/** The first moment of the month in UTC, in which budgets count too. */
const startOfMonth = (now: Date): string => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth())).toISOString();

/** Reads the newest collections and connectors. */
export async function readOverview(signal: AbortSignal): Promise<Overview> {
  const all = { page: 1, limit: MAX_LISTED };
  const [collections, connectors] = await Promise.all([
    lectern().collections.list(all, { signal }),
    lectern().connectors.list(all, { signal }),
  ]);
  return {
    collections: collections.items,
    collectionCount: collections.total,
    connectors: connectors.items,
    connectorCount: connectors.total,
  };
}

const FIRST = { page: 1, limit: 1 };

/** Counts the questions to review of the last 30 days. */
export const countQuestions = async (signal: AbortSignal): Promise<number> =>
  (await lectern().questions.list({ ...FIRST, done: false }, { signal })).total;

/** Adds up the cost and the replies of all models in this month. */
export async function readCost(signal: AbortSignal) {
  const query = { page: 1, limit: MAX_LISTED, by: 'model', from: startOfMonth(new Date()) } as const;
  const { items } = await lectern().analytics.usageBy(query, { signal });
  return {
    cost: items.reduce((sum, { cost }) => sum + cost, 0),
    replies: items.reduce((sum, { requests }) => sum + requests, 0),
  };
}

/** Counts people and invitations. */
export async function countPeople(signal: AbortSignal): Promise<number> {
  const [people, invitations] = await Promise.all([
    lectern().people.list(FIRST, { signal }),
    lectern().people.invitations(FIRST, { signal }),
  ]);
  return people.total + invitations.total;
}

/** True if the user has asked something. */
export const hasConversations = async (signal: AbortSignal): Promise<boolean> =>
  (await lectern().conversations.list(FIRST, { signal })).total > 0;
