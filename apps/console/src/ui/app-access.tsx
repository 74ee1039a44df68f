import type { AppScope, ConnectedApp } from '#api/types.ts';

const SCOPES: Readonly<Record<AppScope, string>> = {
  search: 'Search the documents that you may read',
  'documents:read': 'Read these documents and list your collections',
  chat: 'Ask questions; the conversations appear in your history, and replies count toward your budget',
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
  return kind === 'device' ? `a program on this device (${name})` : `an installed app (${name}:)`;
}
