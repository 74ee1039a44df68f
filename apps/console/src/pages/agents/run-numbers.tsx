import { useQuery } from '@tanstack/react-query';
import { modelPricesQuery } from '#api/model-queries.ts';
import { costOfRun } from '#pages/agents/cost-of-run.ts';
import type { RunState } from '#pages/agents/use-run.ts';
import { useRole } from '#session/session.ts';
import { t } from '#texts/texts.ts';
import { moneyText } from '#ui/money-text.ts';

const MINUTE_MS = 60_000;

/** The time, the tokens and the cost of a run that has ended. */
export function RunNumbers({ run: { reply, model, tookMs } }: { readonly run: RunState }) {
  // Only admins can see prices.
  const { data: prices = [] } = useQuery({
    ...modelPricesQuery,
    enabled: useRole('admin'),
    staleTime: MINUTE_MS,
  });
  if (reply.usage === undefined || tookMs === undefined) return null;
  const cost = costOfRun(prices, model, reply.usage);
  const numbers = [
    t('agents.runs.took', { seconds: tookMs / 1_000 }),
    ...(cost === undefined ? [] : [t('agents.runs.cost', { amount: moneyText(cost) })]),
    t('agents.runs.usedTokens', { count: reply.usage.totalTokens }),
  ];
  return <p className="muted small">{numbers.join(' · ')}</p>;
}
