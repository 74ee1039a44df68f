import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { currentCredential, endSession, signOut } from '#api/key-store.ts';
import { lecternWith } from '#api/lectern.ts';
import type { OwnKey } from '#api/types.ts';
import { savedTheme, saveTheme, type Theme } from '#layout/theme.ts';
import { forgetDrafts } from '#session/drafts.ts';
import { useSession } from '#session/session.ts';
import { t } from '#texts/texts.ts';
import { Button } from '#ui/button.tsx';
import { ErrorNotice } from '#ui/error-notice.tsx';
import { SelectField } from '#ui/field.tsx';
import { dateText } from '#ui/time-text.ts';

const THEMES: readonly { readonly value: Theme; readonly label: string }[] = [
  { value: 'system', label: t('layout.account.themes.system') },
  { value: 'light', label: t('layout.account.themes.light') },
  { value: 'dark', label: t('layout.account.themes.dark') },
];

/** Describes what the user may do. */
function accessOf({ person, allow_all_collections: isFull, allowed_collections: ids, rights }: OwnKey): string {
  if (person !== null) return `${person.email} · ${t(`layout.account.roles.${person.effectiveRole}`)}`;
  if (!isFull) return t('layout.account.someCollections', { count: ids.length });
  return t(rights.includes('keys') ? 'layout.account.everything' : 'layout.account.allCollections');
}

/** Describes for how many requests and for how long a key is valid. */
function limitsOf({ rate_limit_per_minute: count, expires_at: end }: OwnKey): string {
  if (end === null) return t('layout.account.rate', { count });
  return t('layout.account.rateUntil', { count, day: dateText(end) });
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
            <span className="visually-hidden"> {t('layout.account.link')}</span>
          </Link>
        )}
        <p className="muted">{accessOf(own)}</p>
        {own.person === null ? <p className="muted">{limitsOf(own)}</p> : null}
      </div>
      {own.budget === null || own.budget.state === 'ok' ? null : (
        <p className="notice" role="status">
          {own.budget.state === 'hard_limit'
            ? t('layout.account.budgetUsedUp', { day: dateText(own.budget.resetsAt) })
            : t('layout.account.budgetAlmostUsedUp')}
        </p>
      )}
      <SelectField
        label={t('layout.account.theme')}
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
        {t('layout.account.signOut')}
      </Button>
    </div>
  );
}
