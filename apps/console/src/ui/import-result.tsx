import type { ReactNode } from 'react';
import { t } from '#texts/texts.ts';
import { Button } from '#ui/button.tsx';

/** What a finished import has changed. */
export function ImportResult({ children, onDone }: { readonly children: ReactNode; readonly onDone: () => void }) {
  return (
    <div className="stack">
      <p className="notice notice-good" role="status">
        {children}
      </p>
      <div className="row row-end">
        <Button isPrimary onClick={onDone}>
          {t('ui.done')}
        </Button>
      </div>
    </div>
  );
}
