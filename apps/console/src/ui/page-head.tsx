import { type ReactNode, useEffect } from 'react';
import { Link } from 'wouter';
import { setTitle } from '#branding/branding.ts';
import { t } from '#texts/texts.ts';

/** The heading of a page with its actions. Sets the document title. */
export function PageHead({
  title,
  parent,
  children,
  intro,
}: {
  readonly title: string;
  /** The list that the record of the page is in. */
  readonly parent?: { readonly to: string; readonly label: string };
  readonly intro?: ReactNode;
  readonly children?: ReactNode;
}) {
  useEffect(() => {
    setTitle(title);
  }, [title]);
  return (
    <header className="page-head">
      <div>
        {parent === undefined ? null : (
          <nav aria-label={t('ui.breadcrumbs')}>
            <ol className="breadcrumbs">
              <li>
                <Link href={parent.to}>{parent.label}</Link>
              </li>
              <li aria-current="page">{title}</li>
            </ol>
          </nav>
        )}
        <h1>{title}</h1>
        {intro ? <p className="muted">{intro}</p> : null}
      </div>
      {children ? <div className="row">{children}</div> : null}
    </header>
  );
}
