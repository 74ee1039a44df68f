import { lectern } from '#api/lectern.ts';
import type { SearchModel } from '#api/types.ts';
import { useChange } from '#api/use-change.ts';
import { modelTexts } from '#pages/models/model-texts.ts';
import { speedTexts } from '#pages/models/speed-texts.ts';
import { t } from '#texts/texts.ts';
import { Button } from '#ui/button.tsx';
import { ErrorNotice } from '#ui/error-notice.tsx';
import { ProgressBar } from '#ui/progress-bar.tsx';
import { sizeText } from '#ui/size-text.ts';
import { StatusBadge } from '#ui/status-badge.tsx';

const LABELS: Readonly<Record<SearchModel['state'], string | undefined>> = {
  available: undefined,
  ready: t('models.states.ready'),
  downloading: t('models.states.downloading'),
  moving: t('models.states.moving'),
  active: t('models.states.active'),
  failed: t('models.states.failed'),
  unavailable: t('models.states.unavailable'),
};
const TONES: Readonly<Record<string, string>> = { downloading: 'running', moving: 'running' };

/** A model with its size, speed, state and actions. */
export function ModelItem({ model, others }: { readonly model: SearchModel; readonly others: readonly SearchModel[] }) {
  const { state, error } = model;
  const { title, description } = modelTexts(model);
  const use = useChange((chosen: string) => lectern().searchModels.use(chosen), ['search-models', 'collections']);
  const isOwn = model.sizeBytes === 0;
  const label = isOwn && state === 'ready' ? undefined : LABELS[state];
  const { speed, duration } = speedTexts(model);
  return (
    <li className="card stack" aria-label={title}>
      <h3>
        {title} {label === undefined ? null : <StatusBadge status={TONES[state] ?? state} label={label} />}
      </h3>
      <p>{description}</p>
      <dl className="facts">
        <dt>{t('models.languages')}</dt>
        <dd>{t(`models.languagesOf.${model.languages}`)}</dd>
        <dt>{t('models.download')}</dt>
        <dd>{isOwn ? t('models.noDownload') : sizeText(model.sizeBytes)}</dd>
        <dt>{t('models.speed')}</dt>
        <dd>{speed}</dd>
        {duration === undefined ? null : (
          <>
            <dt>{t('models.tenThousandPassages')}</dt>
            <dd>{duration}</dd>
          </>
        )}
      </dl>
      <ModelProgress model={model} />
      {error === null ? null : <p className={state === 'failed' ? 'notice notice-error' : 'muted small'}>{error}</p>}
      {use.error ? <ErrorNotice error={use.error} /> : null}
      <ModelActions model={model} others={others} isBusy={use.isPending} onUse={use.mutate} />
    </li>
  );
}

function ModelProgress({ model }: { readonly model: SearchModel }) {
  const { state, progress } = model;
  if (progress === null) return null;
  const { done, total } = progress;
  const percent = total === 0 ? 0 : Math.min(100, Math.round((done / total) * 100));
  const amount =
    state === 'downloading'
      ? t('models.downloaded', { done: sizeText(done), total: sizeText(total) })
      : total === 0
        ? t('models.starting')
        : t('models.documentsDone', { count: total, done });
  return (
    <div className="stack">
      <ProgressBar label={t('models.progress', { title: modelTexts(model).title })} percent={percent} />
      <span className="muted small">{amount}</span>
    </div>
  );
}

function ModelActions({
  model,
  others,
  isBusy,
  onUse,
}: {
  readonly model: SearchModel;
  readonly others: readonly SearchModel[];
  readonly isBusy: boolean;
  readonly onUse: (id: string) => void;
}) {
  const { id, state } = model;
  const { title } = modelTexts(model);
  const inUse = others.find((other) => other.state === 'active' || (other.state === 'moving' && other.id !== id));
  const previous = others.find(({ isPrevious }) => isPrevious);
  const action = (label: string, chosen: string, name: string, isPrimary = false) => (
    <div className="row">
      <Button isPrimary={isPrimary} isBusy={isBusy} aria-label={name} onClick={() => onUse(chosen)}>
        {label}
      </Button>
    </div>
  );
  if (state === 'available' || state === 'ready') {
    return action(
      t(state === 'ready' ? 'models.use' : 'models.downloadAndUse'),
      id,
      t('models.useNamed', { title }),
      true,
    );
  }
  if (state === 'failed') return action(t('ui.tryAgain'), id, t('models.tryNamedAgain', { title }));
  if (state === 'downloading' && inUse) return action(t('ui.cancel'), inUse.id, t('models.cancelNamed', { title }));
  if ((state === 'active' || state === 'moving') && previous && previous.state !== 'unavailable') {
    const label = t('models.goBack', { title: modelTexts(previous).title });
    return action(label, previous.id, label);
  }
  return null;
}
