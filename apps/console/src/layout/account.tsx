import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { currentCredential, endSession, signOut } from '#api/key-store.ts';
import { lecternWith } from '#api/lectern.ts';
import type { OwnKey } from '#api/types.ts';
import { savedTheme, saveTheme, type Theme } from '#layout/theme.ts';
import { forgetDrafts } from '#session/drafts.ts';
import { useSession } from '#session/session.ts';
import { Button } from '#ui/button.tsx';
import { ErrorNotice } from '#ui/error-notice.tsx';
import { SelectField } from '#ui/field.tsx';
import { plural } from '#ui/plural.ts';
import { dateText } from '#ui/time-text.ts';

const THEMES: readonly { readonly value: Theme; readonly label: string }[] = [
  { value: 'system', label: 'System' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
];

/** Describes what the user may do. */
function accessOf({ person, allow_all_collections: isFull, allowed_collections: ids, rights }: OwnKey): string {
  if (person !== null) return `${person.email} · ${person.effectiveRole}`;
  if (!isFull) return `${plural(ids.length, 'collection')} only`;
  return rights.includes('keys') ? 'All collections, keys and the audit log' : 'All collections';
}

/** Ends a session on the server too. */
async function leaveConsole(): Promise<void> {
  forgetDrafts();
  if (currentCredential()?.kind !== 'session') return signOut();
  const { providerUrl } = await lecternWith().client.call('signOut', {});
  endSession();
  // Otherwise the next person at this browser could sign in as this one.
  if (providerUrl !== null) location.assign(providerUrl);
}

/**
 * The account or the key in use with its access, the theme and the sign-out button. Calls `onChoose`
 * when the page of the account is opened.
 */
export function Account({ onChoose }: { readonly onChoose?: () => void }) {
  const own = useSession();
  const [theme, setTheme] = useState(savedTheme);
  const leave = useMutation({ mutationFn: leaveConsole });

  return (
    <div className="account">
      <div>
        {own.person === null ? (
          <strong>{own.name}</strong>
        ) : (
          <Link href="/account" onClick={() => onChoose?.()}>
            <strong>{own.name}</strong>
            <span className="visually-hidden"> (your account)</span>
          </Link>
        )}
        <p className="muted">{accessOf(own)}</p>
        {own.person === null ? (
          <p className="muted">
            {plural(own.rate_limit_per_minute, 'request')} per minute
            {own.expires_at === null ? '' : `, expires ${dateText(own.expires_at)}`}
          </p>
        ) : null}
      </div>
      {own.budget === null || own.budget.state === 'ok' ? null : (
        <p className="notice" role="status">
          {own.budget.state === 'hard_limit'
            ? `The budget of this month is used up. It resets on ${dateText(own.budget.resetsAt)}.`
            : 'The budget of this month is almost used up.'}
        </p>
      )}
      <SelectField
        label="Theme"
        value={theme}
        options={THEMES}
        onChange={(chosen) => {
          const next = THEMES.find(({ value }) => value === chosen)?.value ?? 'system';
          setTheme(next);
          saveTheme(next);
        }}
      />
      {leave.error ? <ErrorNotice error={leave.error} /> : null}
      <Button isBusy={leave.isPending} onClick={() => leave.mutate()}>
        Sign out
      </Button>
    </div>
  );
}
