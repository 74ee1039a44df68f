import { type ReactNode, useEffect } from 'react';
import { setTitle } from '#branding/branding.ts';

/** The heading of a page with its actions. Sets the document title. */
export function PageHead({
  title,
  children,
  intro,
}: {
  readonly title: string;
  readonly intro?: ReactNode;
  readonly children?: ReactNode;
}) {
  useEffect(() => {
    setTitle(title);
  }, [title]);
  return (
    <header className="page-head">
      <div>
        <h1>{title}</h1>
        {intro ? <p className="muted">{intro}</p> : null}
      </div>
      {children ? <div className="row">{children}</div> : null}
    </header>
  );
}
