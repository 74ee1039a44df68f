import { lectern } from '#api/lectern.ts';
import type { Collection, Connector } from '#api/types.ts';

/** The API's maximum page size. */
const MAX_LISTED = 100;

/** What an editor can see of the team's content, and an admin also of its questions and cost. */
export interface Overview {
  /** The newest ones. */
  readonly collections: readonly Collection[];
  readonly collectionCount: number;
  /** The newest ones. */
  readonly connectors: readonly Connector[];
  readonly connectorCount: number;
  readonly hasAsked: boolean;
  /** Undefined without the role or the right to read it. */
  readonly quality?: { readonly openQuestions: number; readonly cost: number; readonly replies: number };
  /** People and invitations. Undefined without the role or the right to read them. */
  readonly peopleCount?: number;
}

/** The first moment of the month in UTC, in which budgets count too. */
const startOfMonth = (now: Date): string => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth())).toISOString();

/** Reads what the overview shows. */
export async function readOverview(
  may: { readonly readsAnalytics: boolean; readonly managesPeople: boolean },
  signal: AbortSignal,
): Promise<Overview> {
  const first = { page: 1, limit: 1 };
  const all = { page: 1, limit: MAX_LISTED };
  const from = startOfMonth(new Date());
  const [collections, connectors, conversations, questions, usage, people] = await Promise.all([
    lectern().collections.list(all, { signal }),
    lectern().connectors.list(all, { signal }),
    lectern().conversations.list(first, { signal }),
    may.readsAnalytics ? lectern().questions.list({ ...first, done: false }, { signal }) : undefined,
    may.readsAnalytics ? lectern().analytics.usageBy({ ...all, by: 'model', from }, { signal }) : undefined,
    may.managesPeople
      ? Promise.all([lectern().people.list(first, { signal }), lectern().people.invitations(first, { signal })])
      : undefined,
  ]);
  return {
    collections: collections.items,
    collectionCount: collections.total,
    connectors: connectors.items,
    connectorCount: connectors.total,
    hasAsked: conversations.total > 0,
    ...(questions === undefined || usage === undefined
      ? {}
      : {
          quality: {
            openQuestions: questions.total,
            cost: usage.items.reduce((sum, { cost }) => sum + cost, 0),
            replies: usage.items.reduce((sum, { requests }) => sum + requests, 0),
          },
        }),
    ...(people === undefined ? {} : { peopleCount: people[0].total + people[1].total }),
  };
}
