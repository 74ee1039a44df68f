import { lectern } from '#api/lectern.ts';
import type { SynonymPack } from '#api/types.ts';
import { useChange } from '#api/use-change.ts';
import { usePacks } from '#pages/synonyms/use-packs.ts';
import { language, t } from '#texts/texts.ts';
import { Button } from '#ui/button.tsx';
import { ErrorNotice } from '#ui/error-notice.tsx';
import { QueryView } from '#ui/query-view.tsx';
import { StatusBadge } from '#ui/status-badge.tsx';

/** The packs that ship with Lectern. */
export function PacksPanel() {
  const packs = usePacks();
  return (
    <section className="stack" aria-label={t('synonyms.packs')}>
      <p className="muted">{t('synonyms.packsHelp')}</p>
      <QueryView query={packs} what={t('synonyms.whatPacks')}>
        {(items) => (
          <ul className="plain-list">
            {items.map((pack) => (
              <PackItem key={pack.name} pack={pack} />
            ))}
          </ul>
        )}
      </QueryView>
    </section>
  );
}

function PackItem({ pack }: { readonly pack: SynonymPack }) {
  const { name, enabled, synonymCount, disabledCount } = pack;
  const toggle = useChange(
    () => lectern().synonyms.updatePack(name, { enabled: !enabled }),
    ['synonyms', 'synonym-packs'],
  );
  const languageName = new Intl.DisplayNames([language()], { type: 'language' }).of(pack.language) ?? pack.language;
  return (
    <li className="card row row-apart">
      <div className="grow">
        <h2>
          {name}{' '}
          <StatusBadge status={enabled ? 'active' : 'off'} label={t(enabled ? 'ui.statuses.on' : 'ui.statuses.off')} />
        </h2>
        <p className="muted small">
          {languageName} · {t('synonyms.packCount', { count: synonymCount })}
          {disabledCount === 0 ? '' : ` · ${t('synonyms.turnedOff', { synonyms: disabledCount })}`}
        </p>
        {toggle.error ? <ErrorNotice error={toggle.error} /> : null}
      </div>
      <Button
        isBusy={toggle.isPending}
        onClick={() => toggle.mutate()}
        aria-label={t(enabled ? 'synonyms.turnOffPack' : 'synonyms.turnOnPack', { name })}
      >
        {t(enabled ? 'synonyms.turnOff' : 'synonyms.turnOn')}
      </Button>
    </li>
  );
}
