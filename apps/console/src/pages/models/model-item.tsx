import { lectern } from '#api/lectern.ts';
import type { SearchModel } from '#api/types.ts';
import { useChange } from '#api/use-change.ts';
import { speedTexts } from '#pages/models/speed-texts.ts';
import { Button } from '#ui/button.tsx';
import { ErrorNotice } from '#ui/error-notice.tsx';
import { plural } from '#ui/plural.ts';
import { ProgressBar } from '#ui/progress-bar.tsx';
import { sizeText } from '#ui/size-text.ts';
import { StatusBadge } from '#ui/status-badge.tsx';

const LABELS: Readonly<Record<SearchModel['state'], string | undefined>> = {
  available: undefined,
  ready: 'downloaded',
  downloading: 'downloading',
  moving: 'indexing',
  active: 'in use',
  failed: 'failed',
  unavailable: 'not available',
};
const TONES: Readonly<Record<string, string>> = { downloading: 'running', moving: 'running' };

const LANGUAGES: Readonly<Record<SearchModel['languages'], string>> = {
  english: 'English',
  multilingual: 'About 100',
  any: 'Any',
};

/** A model with its size, speed, state and actions. */
export function ModelItem({ model, others }: { readonly model: SearchModel; readonly others: readonly SearchModel[] }) {
  const { title, description, state, error } = model;
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
        <dt>Languages</dt>
        <dd>{LANGUAGES[model.languages]}</dd>
        <dt>Download</dt>
        <dd>{isOwn ? 'None' : sizeText(model.sizeBytes)}</dd>
        <dt>Speed here</dt>
        <dd>{speed}</dd>
        {duration === undefined ? null : (
          <>
            <dt>10,000 passages</dt>
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

function ModelProgress({ model: { state, progress, title } }: { readonly model: SearchModel }) {
  if (progress === null) return null;
  const { done, total } = progress;
  const percent = total === 0 ? 0 : Math.min(100, Math.round((done / total) * 100));
  const amount =
    state === 'downloading'
      ? `${sizeText(done)} of ${sizeText(total)}`
      : total === 0
        ? 'Starting…'
        : `${done.toLocaleString()} of ${plural(total, 'document')}`;
  return (
    <div className="stack">
      <ProgressBar label={`Progress of ${title}`} percent={percent} />
      <span className="muted small">{amount}</span>
    </div>
  );
}

function ModelActions({
  model: { id, title, state },
  others,
  isBusy,
  onUse,
}: {
  readonly model: SearchModel;
  readonly others: readonly SearchModel[];
  readonly isBusy: boolean;
  readonly onUse: (id: string) => void;
}) {
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
    return action(state === 'ready' ? 'Use' : 'Download and use', id, `Use ${title}`, true);
  }
  if (state === 'failed') return action('Try again', id, `Try ${title} again`);
  if (state === 'downloading' && inUse) return action('Cancel', inUse.id, `Cancel ${title}`);
  if ((state === 'active' || state === 'moving') && previous && previous.state !== 'unavailable') {
    return action(`Undo: go back to “${previous.title}”`, previous.id, `Undo: go back to “${previous.title}”`);
  }
  return null;
}
