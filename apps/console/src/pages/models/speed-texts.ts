import type { SearchModel } from '#api/types.ts';
import { plural } from '#ui/plural.ts';

const PASSAGES = 10_000;

/** Formats the speed of a model, and how long it needs for 10,000 passages. */
export function speedTexts({ passagesPerSecond, isMeasured }: Pick<SearchModel, 'passagesPerSecond' | 'isMeasured'>): {
  readonly speed: string;
  readonly duration?: string;
} {
  if (passagesPerSecond === null) return { speed: 'Depends on the provider' };
  const rate = passagesPerSecond < 10 ? Math.round(passagesPerSecond * 10) / 10 : Math.round(passagesPerSecond);
  const minutes = Math.max(1, Math.round(PASSAGES / passagesPerSecond / 60));
  return {
    speed: `${plural(rate, 'passage')} per second${isMeasured ? '' : ' (estimated)'}`,
    duration: `About ${minutes < 120 ? plural(minutes, 'minute') : plural(Math.round(minutes / 60), 'hour')}`,
  };
}
