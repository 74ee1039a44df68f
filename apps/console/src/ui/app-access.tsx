import type { AppScope, ConnectedApp } from '#api/types.ts';
import { t } from '#texts/texts.ts';

const SCOPES: Readonly<Record<AppScope, string>> = {
  search: t('ui.scopes.search'),
  'documents:read': t('ui.scopes.documents'),
  chat: t('ui.scopes.chat'),
};

/** What an app may do. */
export function ScopeList({ scopes }: { readonly scopes: readonly AppScope[] }) {
  return (
    <ul className="bullets">
      {scopes.map((scope) => (
        <li key={scope}>{SCOPES[scope]}</li>
      ))}
    </ul>
  );
}

/** Names the place to which the browser goes, in the middle of a sentence. */
export function destinationText({ kind, name }: ConnectedApp['destination']): string {
  if (kind === 'web') return name;
  return kind === 'device' ? t('ui.deviceProgram', { name }) : t('ui.installedApp', { name });
}
