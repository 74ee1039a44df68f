import { useQuery } from '@tanstack/react-query';
import { MetricCard } from '#pages/overview/metric-card.tsx';
import { countQuestions, readCost } from '#pages/overview/read-overview.ts';
import { useAccess } from '#session/session.ts';
import { moneyText } from '#ui/money-text.ts';
import { numberText } from '#ui/number-text.ts';
import { plural } from '#ui/plural.ts';

/** These numbers count in the usage of a key, and change slowly. */
const REFRESH_MS = 60_000;

/** Questions to review, and the cost of the month. Without the right to read one, it is left out. */
export function AdminMetrics() {
  const questions = useQuery({
    queryKey: ['questions', 'count'],
    queryFn: ({ signal }) => countQuestions(signal),
    enabled: useAccess('admin', 'chat'),
    refetchInterval: REFRESH_MS,
  });
  const usage = useQuery({
    queryKey: ['usage-breakdown', 'total'],
    queryFn: ({ signal }) => readCost(signal),
    enabled: useAccess('admin', 'analytics'),
    refetchInterval: REFRESH_MS,
  });
  return (
    <>
      {questions.data === undefined ? null : (
        <MetricCard to="/questions" name="Questions to review" value={numberText(questions.data)}>
          in the last 30 days
        </MetricCard>
      )}
      {usage.data === undefined ? null : (
        <MetricCard to="/usage" name="Cost this month" value={moneyText(usage.data.cost)}>
          for {plural(usage.data.replies, 'answer')}
        </MetricCard>
      )}
    </>
  );
}
