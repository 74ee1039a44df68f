import { useState } from 'react';
import { signOut } from '#api/key-store.ts';
import { savedTheme, saveTheme, type Theme } from '#layout/theme.ts';
import { useSession } from '#session/session.ts';
import { Button } from '#ui/button.tsx';
import { SelectField } from '#ui/field.tsx';
import { plural } from '#ui/plural.ts';
import { dateText } from '#ui/time-text.ts';

const THEMES: readonly { readonly value: Theme; readonly label: string }[] = [
  { value: 'system', label: 'System' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
];

/** The key in use with its permissions, the theme and the sign-out button. */
export function Account() {
  const key = useSession();
  const [theme, setTheme] = useState(savedTheme);
  const scope = key.allow_all_collections
    ? 'All collections, keys and the audit log'
    : `${plural(key.allowed_collections.length, 'collection')} only`;

  return (
    <div className="account">
      <div>
        <strong>{key.name}</strong>
        <p className="muted">{scope}</p>
        <p className="muted">
          {plural(key.rate_limit_per_minute, 'request')} per minute
          {key.expires_at === null ? '' : `, expires ${dateText(key.expires_at)}`}
        </p>
      </div>
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
      <Button onClick={() => signOut()}>Sign out</Button>
    </div>
  );
}
