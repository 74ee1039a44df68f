import { useQuery } from '@tanstack/react-query';
import { MetricCard } from '#pages/overview/metric-card.tsx';
import { countQuestions, readCost } from '#pages/overview/read-overview.ts';
import { useAccess } from '#session/session.ts';
import { t } from '#texts/texts.ts';
import { moneyText } from '#ui/money-text.ts';
import { numberText } from '#ui/number-text.ts';

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
        <MetricCard to="/questions" name={t('overview.questions')} value={numberText(questions.data)}>
          {t('overview.last30Days')}
        </MetricCard>
      )}
      {usage.data === undefined ? null : (
        <MetricCard to="/usage" name={t('overview.cost')} value={moneyText(usage.data.cost)}>
          {t('overview.forAnswers', { count: usage.data.replies })}
        </MetricCard>
      )}
    </>
  );
}
