import { t } from '#texts/texts.ts';

/** A loading indicator: “Loading …”. */
export function Loading({ what }: { readonly what: string }) {
  return (
    <p className="loading" role="status">
      <span className="spinner" aria-hidden="true" />
      {t('ui.loading', { what })}
    </p>
  );
}
