import { lectern } from '#api/lectern.ts';
import type { SynonymPack } from '#api/types.ts';
import { useChange } from '#api/use-change.ts';
import { usePacks } from '#pages/synonyms/use-packs.ts';
import { Button } from '#ui/button.tsx';
import { ErrorNotice } from '#ui/error-notice.tsx';
import { plural } from '#ui/plural.ts';
import { QueryView } from '#ui/query-view.tsx';
import { StatusBadge } from '#ui/status-badge.tsx';

/** The packs that ship with Lectern. */
export function PacksPanel() {
  const packs = usePacks();
  return (
    <section className="stack" aria-label="Packs">
      <p className="muted">Lists of common words that ship with Lectern. Turn a pack off if it finds too much.</p>
      <QueryView query={packs} what="packs">
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

function PackItem({ pack: { name, language, enabled, synonymCount, disabledCount } }: { readonly pack: SynonymPack }) {
  const toggle = useChange(
    () => lectern().synonyms.updatePack(name, { enabled: !enabled }),
    ['synonyms', 'synonym-packs'],
  );
  const languageName = new Intl.DisplayNames(['en'], { type: 'language' }).of(language) ?? language;
  return (
    <li className="card row row-apart">
      <div className="grow">
        <h2>
          {name} <StatusBadge status={enabled ? 'active' : 'off'} label={enabled ? 'on' : 'off'} />
        </h2>
        <p className="muted small">
          {languageName} · {plural(synonymCount, 'synonym')}
          {disabledCount === 0 ? '' : ` · ${disabledCount} turned off`}
        </p>
        {toggle.error ? <ErrorNotice error={toggle.error} /> : null}
      </div>
      <Button
        isBusy={toggle.isPending}
        onClick={() => toggle.mutate()}
        aria-label={`Turn ${enabled ? 'off' : 'on'} ${name}`}
      >
        {enabled ? 'Turn off' : 'Turn on'}
      </Button>
    </li>
  );
}
