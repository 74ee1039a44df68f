import type { SearchModel } from '#api/types.ts';
import { t } from '#texts/texts.ts';

const PASSAGES = 10_000;

/** Formats the speed of a model, and how long it needs for 10,000 passages. */
export function speedTexts({ passagesPerSecond, isMeasured }: Pick<SearchModel, 'passagesPerSecond' | 'isMeasured'>): {
  readonly speed: string;
  readonly duration?: string;
} {
  if (passagesPerSecond === null) return { speed: t('models.speedOfProvider') };
  const rate = passagesPerSecond < 10 ? Math.round(passagesPerSecond * 10) / 10 : Math.round(passagesPerSecond);
  const minutes = Math.max(1, Math.round(PASSAGES / passagesPerSecond / 60));
  return {
    speed: t(isMeasured ? 'models.passagesPerSecond' : 'models.passagesPerSecondEstimated', { count: rate }),
    duration:
      minutes < 120
        ? t('models.aboutMinutes', { count: minutes })
        : t('models.aboutHours', { count: Math.round(minutes / 60) }),
  };
}
