import type { Confidence } from '#api/types.ts';
import type { Level } from '#pages/chat/level.ts';
import { useRole } from '#session/session.ts';
import { t } from '#texts/texts.ts';
import { ProgressBar } from '#ui/progress-bar.tsx';
import { StatusBadge } from '#ui/status-badge.tsx';

const SIGNALS = [
  { name: 'coverageRatio', weight: 50 },
  { name: 'shapeConfidence', weight: 20 },
  { name: 'coverageCompleteness', weight: 15 },
  { name: 'violationFree', weight: 15 },
] as const;

const percent = (value: number) => Math.round(value * 100);

/** Explains how far the documents support an answer, and what to do if they do not. */
export function LevelNote({
  level,
  confidence,
}: {
  readonly level: Level;
  readonly confidence: Confidence | undefined;
}) {
  const canAdd = useRole('editor');
  return (
    <div className="level small">
      <p>
        <StatusBadge
          status={level === 'none' ? 'low' : level === 'low' ? 'medium' : level}
          label={t(`chat.levels.${level}.label`)}
        />{' '}
        {t(`chat.levels.${level}.text`)}
      </p>
      {level === 'none' ? (
        <ul>
          <li>{t('chat.hints.words')}</li>
          <li>{t('chat.hints.oneThing')}</li>
          <li>{t(canAdd ? 'chat.hints.addDocument' : 'chat.hints.askEditor')}</li>
        </ul>
      ) : null}
      {confidence?.signals !== undefined ? <Reasons {...confidence} signals={confidence.signals} /> : null}
    </div>
  );
}

/** The score of an answer with its parts. */
function Reasons({ score, signals }: { readonly score: number; readonly signals: NonNullable<Confidence['signals']> }) {
  return (
    <details>
      <summary>{t('chat.assessed')}</summary>
      <p>{t('chat.points', { points: percent(score) })}</p>
      <dl className="signals">
        {SIGNALS.map(({ name, weight }) => (
          <div key={name}>
            <dt>{t(`chat.signals.${name}`)}</dt>
            <dd>
              <ProgressBar label={t(`chat.signals.${name}`)} percent={percent(signals[name])} />
              <span className="number">
                {t('chat.pointsOf', { points: Math.round(signals[name] * weight), weight })}
              </span>
            </dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
