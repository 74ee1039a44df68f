import { useQuery } from '@tanstack/react-query';
import { modelPricesQuery } from '#api/model-queries.ts';
import type { Usage } from '#api/types.ts';
import { costOfRun } from '#pages/agents/cost-of-run.ts';
import { useRole } from '#session/session.ts';
import { t } from '#texts/texts.ts';
import { moneyText } from '#ui/money-text.ts';

const MINUTE_MS = 60_000;

/** The time, the cost and the tokens of a run that has ended. Nothing for one that runs. */
export function RunNumbers({
  model,
  usage,
  tookMs,
}: {
  readonly model: string | undefined;
  readonly usage: Usage | undefined;
  readonly tookMs: number | undefined;
}) {
  // Only admins can see prices.
  const { data: prices = [] } = useQuery({
    ...modelPricesQuery,
    enabled: useRole('admin'),
    staleTime: MINUTE_MS,
  });
  if (usage === undefined || tookMs === undefined) return null;
  const cost = costOfRun(prices, model, usage);
  const numbers = [
    t('agents.runs.took', { seconds: tookMs / 1_000 }),
    ...(cost === undefined ? [] : [t('agents.runs.cost', { amount: moneyText(cost) })]),
    t('agents.runs.usedTokens', { count: usage.totalTokens }),
  ];
  return <p className="muted small">{numbers.join(' · ')}</p>;
}
